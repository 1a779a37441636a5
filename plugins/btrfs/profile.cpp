// SPDX-License-Identifier: Apache-2.0
#include "btrfs/profile.hpp"

#include <linux/btrfs_tree.h>

namespace cowbench::btrfs {
namespace {

// Minimum numbers as of Linux 5.15 and btrfs-progs 6.2.
constexpr Profile kProfiles[] = {
    {"single", 0, 1, 1, 0},
    {"dup", BTRFS_BLOCK_GROUP_DUP, 1, 2, 0},
    {"raid0", BTRFS_BLOCK_GROUP_RAID0, 1, 1, 0},
    {"raid1", BTRFS_BLOCK_GROUP_RAID1, 2, 2, 0},
    {"raid1c3", BTRFS_BLOCK_GROUP_RAID1C3, 3, 3, 0},
    {"raid1c4", BTRFS_BLOCK_GROUP_RAID1C4, 4, 4, 0},
    {"raid10", BTRFS_BLOCK_GROUP_RAID10, 2, 2, 0},
    {"raid5", BTRFS_BLOCK_GROUP_RAID5, 2, 1, 1},
    {"raid6", BTRFS_BLOCK_GROUP_RAID6, 3, 1, 2},
};
constexpr Profile kUnknown = {"unknown", 0, 1, 1, 0};

}  // namespace

const Profile* find_profile(std::string_view name) {
  for (const Profile& one : kProfiles) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

const Profile& profile_of_flags(std::uint64_t flags) {
  const std::uint64_t profile = flags & BTRFS_BLOCK_GROUP_PROFILE_MASK;
  for (const Profile& one : kProfiles) {
    if (profile == one.flag) return one;
  }
  return kUnknown;
}

double raw_factor(const Profile& profile, std::uint64_t devices) {
  if (profile.parity == 0 || devices <= profile.parity) return profile.copies;
  return static_cast<double>(devices) /
         static_cast<double>(devices - profile.parity);
}

}  // namespace cowbench::btrfs
