// SPDX-License-Identifier: Apache-2.0
// Where commands find published results, and the files that describe them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/library.hpp"

namespace cowbench {

// Folders of published runs at or some levels below `path`: deep enough for a
// clone of the data's repository. Empty where there are none.
std::vector<std::string> published_folders(const std::string& path);

// The text of a file of the configurations, "score/x.json" for example: of the
// first folder that has it. kUsage when none does.
Result<std::string> read_config(const ConfigLibrary& configs,
                                const std::string& name);

}  // namespace cowbench
