// SPDX-License-Identifier: Apache-2.0
// From a library's C tables to the core's own description of its plugins.
#pragma once

#include <cowbench/abi/plugin.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "plugin/catalog.hpp"

namespace cowbench {

// What a library offers.
struct Description {
  std::vector<Plugin> plugins;
  // One sentence for each plugin that breaks the ABI and is left out.
  std::vector<std::string> faults;
};

// Calls the entry and every descriptor function, and checks all that they
// answer: versions, required callbacks, names, defaults. The error says why
// the library as a whole cannot be used. A descriptor that crashes takes the
// process along: examine() first.
Result<Description> describe(cowbench_entry_function entry,
                             const std::filesystem::path& file);

}  // namespace cowbench
