// SPDX-License-Identifier: Apache-2.0
// What kernel and machine must have for a configuration.
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "lvm/settings.hpp"

namespace cowbench::lvm {

// A device-mapper target and the modules that bring it, by preference.
struct NeededTarget {
  std::string type;
  std::vector<std::string> modules;
};

// A program that LVM runs itself, where no failure names the package.
struct NeededTool {
  std::vector<std::string> probe;  // argv that shows that it is there
  std::string package;
};

std::vector<NeededTarget> needed_targets(const Settings& settings);
std::vector<NeededTool> needed_tools(const Settings& settings);

// Loads the modules of missing targets. Throws Error(COWBENCH_NOT_AVAILABLE)
// with all that is missing.
void require_support(const Host& host, const Settings& settings);

}  // namespace cowbench::lvm
