// SPDX-License-Identifier: Apache-2.0
// A phase that takes the whole machine down, and only a guest.
#include <cowbench/plugin.hpp>
#include <fstream>
#include <string>

#include "misbehaving.hpp"

namespace {

using namespace cowbench_test;

struct Panic {
  static constexpr Identity identity = {"org.example.test.panicking",
                                        "panicking", "1.0",
                                        "crashes the kernel of a guest"};
  static void act(const Host&) {
    std::string line;
    std::getline(std::ifstream("/proc/cmdline") >> std::ws, line);
    if (line.find("cowbench.mode=job") == std::string::npos) {
      throw Error(COWBENCH_NOT_AVAILABLE, "this machine is no guest");
    }
    std::ofstream("/proc/sysrq-trigger") << 'c' << std::flush;
  }
};

}  // namespace

COWBENCH_PLUGINS(Misbehaving<Panic>);
