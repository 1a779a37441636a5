// SPDX-License-Identifier: Apache-2.0
// Loading a library: the only place that knows Boost.DLL.
#pragma once

#include <cowbench/abi/plugin.h>

#include <filesystem>

#include "base/result.hpp"

namespace cowbench {

// A loaded library is what its entry function gives access to.
struct Library {
  cowbench_entry_function entry = nullptr;
};

// Loads the library for good, all symbols resolved and none of them visible to
// others. `file` is absolute. The error carries the dynamic loader's own text.
Result<Library> load_library(const std::filesystem::path& file);

}  // namespace cowbench
