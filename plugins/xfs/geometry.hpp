// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace cowbench::xfs {

// What the kernel says of a mounted XFS.
struct Geometry {
  std::string uuid;
  std::uint64_t block_bytes = 0;
  std::uint64_t inode_bytes = 0;
  std::uint64_t allocation_groups = 0;
  std::uint64_t log_bytes = 0;
  // As mkfs.xfs read them from the device; 0: it tells none.
  std::uint64_t stripe_unit_bytes = 0;
  std::uint64_t stripe_width_bytes = 0;
  bool crc = false;
  bool reflink = false;
};

// Asks the filesystem mounted at `mount_point`. Throws std::system_error.
Geometry read_geometry(const std::string& mount_point);

}  // namespace cowbench::xfs
