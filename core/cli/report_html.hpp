// SPDX-License-Identifier: Apache-2.0
// `cowbench report --html`.
#pragma once

#include <string>
#include <vector>

#include "config/library.hpp"

namespace cowbench {

// Writes the page of what lies below `paths`, our own results and published
// ones, to `file`. What a page needs to know of published results is found in
// `configs`. Answers the exit code.
int report_html(const std::vector<std::string>& paths, const std::string& file,
                const ConfigLibrary& configs);

}  // namespace cowbench
