// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cowbench::btrfs {

// A way of laying out chunks over devices.
struct Profile {
  const char* name;
  std::uint64_t flag;  // BTRFS_BLOCK_GROUP_...; 0: single
  std::uint32_t minimum_devices;
  std::uint32_t copies;
  std::uint32_t parity;  // devices' worth of it in a stripe
};

// nullptr for a name that isn't a profile.
const Profile* find_profile(std::string_view name);

// The profile in the flags of a chunk type; never fails for flags that the
// kernel knows today, otherwise the name is "unknown".
const Profile& profile_of_flags(std::uint64_t flags);

// Raw bytes behind one byte of content, with stripes over all `devices`.
double raw_factor(const Profile& profile, std::uint64_t devices);

}  // namespace cowbench::btrfs
