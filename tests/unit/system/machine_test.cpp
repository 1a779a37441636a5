// SPDX-License-Identifier: Apache-2.0
#include "system/machine.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>

#include "system/clock.hpp"
#include "system/fault_point.hpp"
#include "system/host_load.hpp"
#include "system/kernel_log.hpp"
#include "system/signals.hpp"

using namespace cowbench;

TEST_CASE("the machine is described without its name") {
  const auto machine = describe_machine();
  CHECK_FALSE(machine.kernel_release.empty());
  CHECK_FALSE(machine.architecture.empty());
  CHECK(machine.cores_online > 0);
  CHECK(machine.memory_bytes > 0);
  CHECK(machine.boot_id.size() == 36);
  CHECK(module_version("cowbench_no_such_module").empty());
  CHECK_FALSE(module_present("cowbench_no_such_module"));
}

TEST_CASE("the distribution is the pretty name") {
  CHECK(parse_os_release("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n") ==
        "Debian GNU/Linux 12");
  CHECK(parse_os_release("PRETTY_NAME='A B'") == "A B");
  CHECK(parse_os_release("PRETTY_NAME=Plain\n") == "Plain");
  CHECK(parse_os_release("NAME=x\n").empty());
}

TEST_CASE("virtualisation is told from maker and flags") {
  const std::string guest = "model name\t: X\nflags\t\t: fpu hypervisor sse\n";
  const std::string metal = "model name\t: X\nflags\t\t: fpu sse\n";
  CHECK(parse_virtualisation("QEMU", "Standard PC", guest) == "kvm");
  CHECK(parse_virtualisation("VMware, Inc.", "VMware7,1", guest) == "vmware");
  CHECK(parse_virtualisation("", "", guest) == "vm");
  CHECK(parse_virtualisation("Dell Inc.", "R640", metal) == "none");
  CHECK(parse_virtualisation("Amazon EC2", "i3.metal", metal) == "none");
  // Other architectures have no flags.
  CHECK(parse_virtualisation("QEMU", "KVM", "processor\t: 0\n") == "kvm");
}

TEST_CASE("a cgroup's processor limit is in cores") {
  CHECK(parse_cpu_max("150000 100000") == Approx(1.5));
  CHECK(parse_cpu_max("max 100000") == 0);
  CHECK(parse_cpu_max("") == 0);
  CHECK(parse_cpu_max("5") == 0);
  CHECK(parse_cpu_max("5 0") == 0);
}

TEST_CASE("processor time is read and subtracted") {
  const auto earlier = parse_cpu_time(
      "cpu  10 20 30 400 50 6 7 8 9 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n", 100);
  REQUIRE(earlier);
  constexpr std::uint64_t kTick = 10'000'000;
  CHECK(earlier->user_ns == 30 * kTick);
  CHECK(earlier->system_ns == 30 * kTick);
  CHECK(earlier->idle_ns == 400 * kTick);
  CHECK(earlier->io_wait_ns == 50 * kTick);
  CHECK(earlier->irq_ns == 13 * kTick);
  CHECK(earlier->steal_ns == 8 * kTick);
  const auto later = parse_cpu_time("cpu  15 20 30 390 50 6 7 8 9 1\n", 100);
  REQUIRE(later);
  const auto change = *later - *earlier;
  CHECK(change.user_ns == 5 * kTick);
  CHECK(change.idle_ns == 0);
  CHECK_FALSE(parse_cpu_time("", 100).has_value());
  CHECK_FALSE(parse_cpu_time("cpu  1 2 3\n", 100).has_value());
  CHECK_FALSE(parse_cpu_time("cpu  1 2 3 x 5 6 7 8\n", 100).has_value());
}

TEST_CASE("memory use is read in bytes") {
  const auto use = parse_meminfo(
      "MemTotal:       24683620 kB\nMemAvailable:   24111111 kB\n"
      "Cached:          1000 kB\nSwapCached:      7 kB\nDirty:   12 kB\n"
      "Writeback:      3 kB\nWritebackTmp:   9 kB\nSwapTotal: 5 kB\n");
  CHECK(use.total_bytes == 24683620ULL * 1024);
  CHECK(use.available_bytes == 24111111ULL * 1024);
  CHECK(use.cached_bytes == 1000 * 1024);
  CHECK(use.dirty_bytes == 12 * 1024);
  CHECK(use.writeback_bytes == 3 * 1024);
  CHECK(use.swap_total_bytes == 5 * 1024);
  CHECK(use.swap_free_bytes == 0);
  CHECK(host_load()->memory.total_bytes > 0);
}

TEST_CASE("kernel records are read") {
  const auto record = parse_kernel_record(
      "4,339,5140900,-,caller=T1;loop0: detected \\x22change\\x22\n"
      " SUBSYSTEM=block\n");
  REQUIRE(record);
  CHECK(record->facility == 0);
  CHECK(record->level == 4);
  CHECK(record->sequence == 339);
  CHECK(record->time_us == 5140900);
  CHECK(record->text == "loop0: detected \"change\"");
  const auto user = parse_kernel_record("30,1,2,-;systemd: hello\n");
  REQUIRE(user);
  CHECK(user->facility == 3);
  CHECK(user->level == 6);
  CHECK_FALSE(parse_kernel_record("").has_value());
  CHECK_FALSE(parse_kernel_record("4,x,2,-;text").has_value());
  CHECK_FALSE(parse_kernel_record("4,1,2,-").has_value());
}

TEST_CASE("the kernel log is read or said to be out of reach") {
  const auto position = kernel_log_position();
  if (position) {
    CHECK(kernel_warnings_since(*position + 1'000'000)->empty());
  } else {
    CHECK(position.error().category() == Category::kNotAvailable);
  }
}

TEST_CASE("clocks run") {
  const auto begin = now_ns();
  sleep_ns(5 * kNsPerMs);
  CHECK(now_ns() - begin >= 5 * kNsPerMs);
  const auto text = utc_now_iso8601();
  REQUIRE(text.size() == 20);
  CHECK(text[10] == 'T');
  CHECK(text[19] == 'Z');
}

namespace {

// What becomes of a child that passes the fault point "ledger" three times.
int status_with_plan(const char* plan) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (plan != nullptr) setenv("COWBENCH_FAULT_POINT", plan, 1);
    for (int hit = 0; hit < 3; ++hit) {
      fault_point("other");
      fault_point("ledger");
    }
    _exit(0);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a fault point kills at its hit and only there") {
  CHECK(WTERMSIG(status_with_plan("ledger:1")) == SIGKILL);
  CHECK(WTERMSIG(status_with_plan("ledger:3")) == SIGKILL);
  for (const char* harmless :
       {"ledger:4", "ledger", "ledger:0", "ledger:2x", "nothing:1", ""}) {
    INFO(harmless);
    CHECK(status_with_plan(harmless) == 0);
  }
  CHECK(status_with_plan(nullptr) == 0);
}

TEST_CASE("a signal becomes a question and SIGPIPE nothing") {
  const pid_t pid = fork();
  if (pid == 0) {
    const bool installed = install_signal_handlers().ok();
    const bool before = pending_signal() == 0;
    raise(SIGPIPE);
    raise(SIGTERM);
    raise(SIGINT);
    _exit(installed && before && pending_signal() == SIGTERM ? 0 : 1);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  CHECK(status == 0);
}
