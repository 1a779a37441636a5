// SPDX-License-Identifier: Apache-2.0
// Phases that never end.
#include <unistd.h>

#include <cowbench/plugin.hpp>

#include "misbehaving.hpp"

namespace {

using namespace cowbench_test;

struct Sleep {
  static constexpr Identity identity = {"org.example.test.deaf", "deaf", "1.0",
                                        "sleeps and heeds no wish to stop"};
  static void act(const Host&) {
    for (;;) pause();
  }
};

struct Child {
  static constexpr Identity identity = {"org.example.test.waiting", "waiting",
                                        "1.0",
                                        "waits for a program that never ends"};
  static void act(const Host& host) {
    // It heeds no SIGTERM either.
    host.run({"sh", "-c", "trap '' TERM; while :; do sleep 1; done"});
  }
};

}  // namespace

COWBENCH_PLUGINS(Misbehaving<Sleep>, Misbehaving<Child>);
