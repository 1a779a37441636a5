// SPDX-License-Identifier: Apache-2.0
#include "system/device_number.hpp"

#include <sys/sysmacros.h>

#include <charconv>

namespace cowbench {

std::string DeviceNumber::text() const {
  return std::to_string(major) + ":" + std::to_string(minor);
}

DeviceNumber device_number(dev_t device) {
  DeviceNumber number;
  number.major = gnu_dev_major(device);
  number.minor = gnu_dev_minor(device);
  return number;
}

std::optional<DeviceNumber> parse_device_number(std::string_view text) {
  DeviceNumber number;
  const char* end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, number.major);
  if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != ':') {
    return std::nullopt;
  }
  parsed = std::from_chars(parsed.ptr + 1, end, number.minor);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

}  // namespace cowbench
