// SPDX-License-Identifier: Apache-2.0
#include "vm/console.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;

TEST_CASE("a panic is found with what the kernel said") {
  CHECK(panic_in("[   31.031055] sysrq: Trigger a crash\r\n"
                 "[   31.032000] Kernel panic - not syncing: sysrq triggered "
                 "crash\r\n[   31.04] CPU: 0 UID: 0\r\n") ==
        "sysrq triggered crash");
  CHECK(panic_in("Kernel panic - not syncing") == "no reason given");
  CHECK(panic_in("Kernel panic - not syncing: \n") == "no reason given");
}

TEST_CASE("a console without a panic has none") {
  CHECK(panic_in("").empty());
  CHECK(panic_in("[ 1.0] BUG: unable to handle page fault\n").empty());
  CHECK(panic_in("panic=-1 oops=panic\n").empty());
}

TEST_CASE("the last complaint of the guest's scripts is found") {
  CHECK(init_complaint_in("cowbench-init: first\r\nx\n"
                          "cowbench-init: there is no disk with serial root"
                          "\r\n[ 2.0] reboot: Power down\r\n") ==
        "there is no disk with serial root");
  CHECK(init_complaint_in("nothing").empty());
}

TEST_CASE("the last lines come without what terminals make of them") {
  CHECK(last_lines("one\r\n\x1b[2J\x1b[01;32mtwo\x1b[0m\r\n\r\nthree\n", 2) ==
        "two | three");
  CHECK(last_lines("only", 3) == "only");
  CHECK(last_lines("\n\n", 3).empty());
  CHECK(last_lines("", 1).empty());
}
