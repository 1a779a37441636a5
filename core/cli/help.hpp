// SPDX-License-Identifier: Apache-2.0
// Help, man page and shell completion, all made from the commands'
// descriptions.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace cowbench {

std::string general_help();
std::string command_help(const CliCommand& command);

}  // namespace cowbench
