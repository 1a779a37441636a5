// SPDX-License-Identifier: Apache-2.0
// Mounting, and the mount table as the kernel sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/device_number.hpp"

namespace cowbench {

// One line of /proc/self/mountinfo, unescaped.
struct MountEntry {
  int id = 0;
  int parent_id = 0;
  DeviceNumber device;
  std::string root;  // what part of the filesystem is mounted
  std::string target;
  std::string options;  // of this mount
  std::string type;
  std::string source;
  std::string fs_options;  // of the filesystem
};

struct MountRequest {
  std::string source;
  std::string target;
  std::string type;
  std::string options;  // comma separated; may be empty
};

// Mounts and reads the mount table back: the entry that is really there. A
// regular file as source is refused, because that would make a loop device
// nobody recorded.
Result<MountEntry> mount_filesystem(const MountRequest& request);

// Unmounts the topmost mount on target, trying again while it is busy, and
// reads the mount table back. Nothing mounted there is success. The error
// lists the holders.
Status unmount(const std::string& target,
               std::uint64_t timeout_ns = 10'000'000'000);

Result<std::vector<MountEntry>> mount_table();
std::vector<MountEntry> parse_mountinfo(std::string_view text);

// The topmost mount whose mount point is exactly target.
std::optional<MountEntry> find_mount(const std::string& target);
// The mount that path lies on (path need not exist).
std::optional<MountEntry> mount_containing(const std::string& path);
// Mounts of a block device, by its number or by its path as source (which
// is all that filesystems over several devices show).
std::vector<MountEntry> mounts_of_device(const std::string& path);
// Mounts at or below a folder, deepest first: the order to unmount in.
std::vector<MountEntry> mounts_below(const std::string& folder);

}  // namespace cowbench
