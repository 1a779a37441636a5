// SPDX-License-Identifier: Apache-2.0
// A look into a library without loading it: loading runs its constructors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// The names that the dynamic symbol table of a shared library defines. Every
// offset is checked against the file's size, so any file may be given. An
// Error says why it is no library that this machine can load: not ELF, cut
// short, another machine, no shared library.
Result<std::vector<std::string>> exported_symbols(
    const std::filesystem::path& file);

}  // namespace cowbench
