// SPDX-License-Identifier: Apache-2.0
// What the kernel says of a mounted filesystem below /sys/fs/bcachefs/UUID.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cowbench::bcachefs {

inline constexpr const char* kSysfs = "/sys/fs/bcachefs";

// Whether the kernel has a filesystem of that UUID up.
bool is_up(const std::string& uuid, const std::string& root = kSysfs);

// Values in effect by name; sizes as the kernel writes them, "128 KiB".
// Throws Error(COWBENCH_DEVICE_LOST) when the filesystem is not up.
std::map<std::string, std::string> read_options(
    const std::string& uuid, const std::string& root = kSysfs);

// The kernel's names of its devices ("vdc"), sorted. One that is missing or
// offline is not among them.
std::vector<std::string> read_devices(const std::string& uuid,
                                      const std::string& root = kSysfs);

// Waits until the kernel has let go of the filesystem. False when it still has
// it after timeout_ns.
bool wait_until_gone(const std::string& uuid, std::uint64_t timeout_ns,
                     const std::string& root = kSysfs);

// "on-disk format 1.13, out of tree": the newest format that the loaded module
// knows, and whether the module came with the kernel.
std::string module_version(const std::string& root = "/sys/module/bcachefs");

}  // namespace cowbench::bcachefs
