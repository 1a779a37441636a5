// SPDX-License-Identifier: Apache-2.0
// The kernel's counters of a block device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "system/device_number.hpp"

namespace cowbench {

struct IoCounters {
  std::uint64_t read_ops = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_ops = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t discard_ops = 0;
  std::uint64_t discard_bytes = 0;
  std::uint64_t flush_ops = 0;
  std::uint64_t busy_ns = 0;    // time with any request in flight
  std::uint64_t in_flight = 0;  // now; a difference keeps the later value
};

// What happened from earlier to later.
IoCounters operator-(const IoCounters& later, const IoCounters& earlier);
IoCounters operator+(const IoCounters& a, const IoCounters& b);

// Counters by path, or by number (for devices whose node may go away).
// kDeviceLost when the kernel no longer knows the device.
Result<IoCounters> io_counters(const std::string& path);
Result<IoCounters> io_counters(DeviceNumber number);

// The text of a sysfs "stat" file; the discard and flush fields that old
// kernels lack count as zero.
std::optional<IoCounters> parse_io_counters(std::string_view text);

}  // namespace cowbench
