// SPDX-License-Identifier: Apache-2.0
// The actions of `cowbench vm`; each takes the words that follow its name.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace cowbench {

using VmWords = std::vector<std::string>;

int vm_list(const CommandLine& line, const VmWords& words);

}  // namespace cowbench
