// SPDX-License-Identifier: Apache-2.0
// A block device's folder in sysfs. Private to this folder.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "system/device_number.hpp"

namespace cowbench {

// The number of a block device node; kUsage for anything else.
Result<DeviceNumber> block_device_number(const std::string& path);

// "/sys/devices/.../block/sda/sda1"; kDeviceLost when the kernel has no such
// device.
Result<std::string> sysfs_folder(DeviceNumber number);

// The number in the first line of a file; 0 when there is none.
std::uint64_t sysfs_number(const std::string& path);

}  // namespace cowbench
