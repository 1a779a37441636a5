// SPDX-License-Identifier: Apache-2.0
// The part of starting a program that runs between fork and exec. Private to
// process.cpp.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "system/process.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {

// The program, started, with our ends of its pipes. A stream that goes to a
// file or comes from /dev/null has no pipe.
struct SpawnedProgram {
  pid_t pid = -1;
  UniqueFd input;
  UniqueFd output;
  UniqueFd error;
};

Result<SpawnedProgram> spawn(const Command& command);

// NAME=VALUE strings: the caller's environment as Command describes it.
std::vector<std::string> program_environment(const Command& command);

}  // namespace cowbench
