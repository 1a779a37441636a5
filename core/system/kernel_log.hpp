// SPDX-License-Identifier: Apache-2.0
// Warnings of the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

struct KernelRecord {
  int facility = 0;  // 0: the kernel itself
  int level = 0;     // 0 emergency ... 4 warning ... 7 debug
  std::uint64_t sequence = 0;
  std::uint64_t time_us = 0;  // since boot
  std::string text;           // unescaped, first line
};

// The sequence number that the next record will have. kNotAvailable when
// this user may not read the log or there is none.
Result<std::uint64_t> kernel_log_position();

// The kernel's own records of level warning and worse from that position on.
Result<std::vector<KernelRecord>> kernel_warnings_since(std::uint64_t position);

// One record as /dev/kmsg gives it.
std::optional<KernelRecord> parse_kernel_record(std::string_view text);

}  // namespace cowbench
