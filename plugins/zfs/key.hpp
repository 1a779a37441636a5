// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cowbench::zfs {

// Makes a file of 32 random bytes with mode 0600, as keyformat=raw wants it.
// `path` must not exist and must lie in memory. Throws std::system_error.
void make_key_file(const std::string& path);

}  // namespace cowbench::zfs
