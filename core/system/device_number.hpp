// SPDX-License-Identifier: Apache-2.0
// The major and minor number of a device.
#pragma once

#include <sys/types.h>

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace cowbench {

struct DeviceNumber {
  unsigned major = 0;
  unsigned minor = 0;

  auto operator<=>(const DeviceNumber&) const = default;
  // "253:1", as sysfs and the mount table write it.
  std::string text() const;
};

DeviceNumber device_number(dev_t device);
// Reads "253:1"; nothing when the text is anything else.
std::optional<DeviceNumber> parse_device_number(std::string_view text);

}  // namespace cowbench
