// SPDX-License-Identifier: Apache-2.0
// A suite file: a named list of stacks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/problem.hpp"

namespace cowbench {

struct Suite {
  std::string name;
  std::string summary;
  std::vector<std::string> stacks;  // names or published ids, each once
};

// Checks `text` (read from `path`, which only names it in messages, and whose
// stem must be the suite's name when it ends in ".json"). Whether the stacks
// exist shows when they are looked for. Answers every problem found, in the
// order of the file. Pure: reads nothing.
Checked<Suite> check_suite(std::string_view text, const std::string& path);

}  // namespace cowbench
