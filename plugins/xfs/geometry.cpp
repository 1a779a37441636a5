// SPDX-License-Identifier: Apache-2.0
#include "xfs/geometry.hpp"

#include <cowbench/mounted.hpp>

namespace cowbench::xfs {
namespace {

// XFS_IOC_FSGEOMETRY_V1 is ABI since Linux 2.6. Written out here because the
// kernel's user headers don't hold it and xfslibs-dev is no need otherwise.
struct GeometryV1 {
  std::uint32_t block_bytes;
  std::uint32_t realtime_extent;
  std::uint32_t group_blocks;
  std::uint32_t groups;
  std::uint32_t log_blocks;
  std::uint32_t sector_bytes;
  std::uint32_t inode_bytes;
  std::uint32_t inode_percent;
  std::uint64_t data_blocks;
  std::uint64_t realtime_blocks;
  std::uint64_t realtime_extents;
  std::uint64_t log_start;
  unsigned char uuid[16];
  std::uint32_t stripe_unit;
  std::uint32_t stripe_width;
  std::int32_t version;
  std::uint32_t flags;
  std::uint32_t log_sector_bytes;
  std::uint32_t realtime_sector_bytes;
  std::uint32_t directory_block_bytes;
};
constexpr unsigned long kGetGeometry = _IOR('X', 100, GeometryV1);
constexpr std::uint32_t kVersion5 = 1U << 15;
constexpr std::uint32_t kReflink = 1U << 20;

}  // namespace

Geometry read_geometry(const std::string& mount_point) {
  GeometryV1 raw{};
  MountedDirectory(mount_point)
      .control(kGetGeometry, &raw, "XFS_IOC_FSGEOMETRY_V1");
  Geometry found;
  found.uuid = uuid_text(raw.uuid);
  found.block_bytes = raw.block_bytes;
  found.inode_bytes = raw.inode_bytes;
  found.allocation_groups = raw.groups;
  found.log_bytes = std::uint64_t{raw.log_blocks} * raw.block_bytes;
  found.stripe_unit_bytes = std::uint64_t{raw.stripe_unit} * raw.block_bytes;
  found.stripe_width_bytes = std::uint64_t{raw.stripe_width} * raw.block_bytes;
  found.crc = (raw.flags & kVersion5) != 0;
  found.reflink = (raw.flags & kReflink) != 0;
  return found;
}

}  // namespace cowbench::xfs
