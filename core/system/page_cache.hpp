// SPDX-License-Identifier: Apache-2.0
// What of a file lies in the page cache.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace cowbench {

// Writes the file's dirty pages out and drops all of its pages. What others
// have mapped stays: see cached_bytes.
Status drop_file_cache(const std::string& path);

// Bytes of the file in the page cache.
Result<std::uint64_t> cached_bytes(const std::string& path);

}  // namespace cowbench
