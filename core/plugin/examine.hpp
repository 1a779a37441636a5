// SPDX-License-Identifier: Apache-2.0
// A first look at a library from a process that may crash.
#pragma once

#include <chrono>
#include <filesystem>

#include "base/result.hpp"

namespace cowbench {

// Loads and describes the library in a child process. OK when that went well
// and at least one plugin is usable; otherwise the one sentence that says why
// not, the signal included that ended the child. A child that is not done
// after `patience` is killed.
Status examine(const std::filesystem::path& file,
               std::chrono::milliseconds patience);

}  // namespace cowbench
