// SPDX-License-Identifier: Apache-2.0
// Sizes and times as people write them: "16GiB", "30s".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

// "512", "4k", "64MiB", "1.5G": binary multiples, with or without "iB" or "B".
Result<std::uint64_t> parse_size(std::string_view text);
// "16 GiB", "1.5 MiB", "512 B": at most one decimal, the largest fitting unit.
std::string format_size(std::uint64_t bytes);

// "200ms", "30s", "2min", "1h", "1.5s"; a bare number means seconds.
Result<std::uint64_t> parse_duration_ns(std::string_view text);
// "1.2 s", "3 min 20 s", "4.1 ms".
std::string format_duration(std::uint64_t ns);

}  // namespace cowbench
