// SPDX-License-Identifier: Apache-2.0
// The actions of `cowbench vm`; each takes the words that follow its name.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace cowbench {

using VmWords = std::vector<std::string>;

int vm_build(const CommandLine& line, const VmWords& words);
int vm_doctor(const CommandLine& line, const VmWords& words);
int vm_list(const CommandLine& line, const VmWords& words);
int vm_run(const CommandLine& line, const VmWords& words);
int vm_shell(const CommandLine& line, const VmWords& words);

void add_vm_build_options(options::options_description& description);
// Of the last two.
void add_vm_run_options(options::options_description& description);

}  // namespace cowbench
