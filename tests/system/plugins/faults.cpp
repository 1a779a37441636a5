// SPDX-License-Identifier: Apache-2.0
// Phases that end their process or throw what nobody expects, and one that is
// well.
#include <signal.h>

#include <cowbench/plugin.hpp>
#include <cstdlib>

#include "misbehaving.hpp"

namespace {

using namespace cowbench_test;

struct Nothing {
  static constexpr Identity identity = {"org.example.test.sound", "sound",
                                        "1.0", "does nothing wrong"};
  static void act(const Host&) {}
};

struct Abort {
  static constexpr Identity identity = {"org.example.test.aborting", "aborting",
                                        "1.0", "calls abort()"};
  static void act(const Host&) { std::abort(); }
};

struct Segfault {
  static constexpr Identity identity = {"org.example.test.segfaulting",
                                        "segfaulting", "1.0",
                                        "writes through a null pointer"};
  static void act(const Host&) {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
};

struct Exit {
  static constexpr Identity identity = {"org.example.test.exiting", "exiting",
                                        "1.0", "calls exit(0)"};
  static void act(const Host&) { std::exit(0); }
};

struct Throw {
  static constexpr Identity identity = {"org.example.test.throwing", "throwing",
                                        "1.0",
                                        "throws what is no std::exception"};
  static void act(const Host&) { throw 42; }
};

}  // namespace

COWBENCH_PLUGINS(Misbehaving<Nothing>, Misbehaving<Abort>,
                 Misbehaving<Segfault>, Misbehaving<Exit>, Misbehaving<Throw>);
