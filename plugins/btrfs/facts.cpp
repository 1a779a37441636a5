// SPDX-License-Identifier: Apache-2.0
#include "btrfs/facts.hpp"

#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>

#include <algorithm>
#include <cowbench/block_device.hpp>
#include <cowbench/mounted.hpp>
#include <cstring>
#include <sstream>

#include "btrfs/profile.hpp"

namespace cowbench::btrfs {
namespace {

std::string checksum_name(std::uint16_t type) {
  switch (type) {
    case BTRFS_CSUM_TYPE_CRC32:
      return "crc32c";
    case BTRFS_CSUM_TYPE_XXHASH:
      return "xxhash";
    case BTRFS_CSUM_TYPE_SHA256:
      return "sha256";
    case BTRFS_CSUM_TYPE_BLAKE2:
      return "blake2";
    default:
      return "unknown (" + std::to_string(type) + ")";
  }
}

std::vector<DeviceFacts> read_devices(const MountedDirectory& directory,
                                      std::uint64_t highest_id) {
  std::vector<DeviceFacts> devices;
  for (std::uint64_t id = 1; id <= highest_id; ++id) {
    btrfs_ioctl_dev_info_args raw{};
    raw.devid = id;
    try {
      directory.control(BTRFS_IOC_DEV_INFO, &raw, "BTRFS_IOC_DEV_INFO");
    } catch (const std::system_error& error) {
      // Ids of devices that were taken out are not used again.
      if (error.code().value() == ENODEV) continue;
      throw;
    }
    devices.push_back({id, reinterpret_cast<const char*>(raw.path),
                       raw.total_bytes, raw.bytes_used});
  }
  return devices;
}

std::vector<SpaceFacts> read_spaces(const MountedDirectory& directory) {
  btrfs_ioctl_space_args count{};
  directory.control(BTRFS_IOC_SPACE_INFO, &count, "BTRFS_IOC_SPACE_INFO");
  const std::uint64_t slots = count.total_spaces;
  std::vector<std::uint64_t> buffer(
      (sizeof count + slots * sizeof(btrfs_ioctl_space_info)) /
          sizeof(std::uint64_t) +
      1);
  auto* const all = reinterpret_cast<btrfs_ioctl_space_args*>(buffer.data());
  all->space_slots = slots;
  directory.control(BTRFS_IOC_SPACE_INFO, all, "BTRFS_IOC_SPACE_INFO");
  std::vector<SpaceFacts> spaces;
  for (std::uint64_t i = 0;
       i < std::min(slots, std::uint64_t{all->total_spaces}); ++i) {
    const btrfs_ioctl_space_info& one = all->spaces[i];
    if ((one.flags & BTRFS_SPACE_INFO_GLOBAL_RSV) != 0) continue;
    spaces.push_back({one.flags, one.total_bytes, one.used_bytes});
  }
  return spaces;
}

}  // namespace

Facts read_facts(const std::string& mount_point) {
  const MountedDirectory directory(mount_point);
  btrfs_ioctl_fs_info_args raw{};
  raw.flags = BTRFS_FS_INFO_FLAG_CSUM_INFO;
  directory.control(BTRFS_IOC_FS_INFO, &raw, "BTRFS_IOC_FS_INFO");
  Facts facts;
  facts.uuid = uuid_text(raw.fsid);
  facts.checksum = checksum_name(raw.csum_type);
  facts.node_bytes = raw.nodesize;
  facts.sector_bytes = raw.sectorsize;
  facts.devices = read_devices(directory, raw.max_id);
  facts.spaces = read_spaces(directory);
  return facts;
}

std::string profiles_of(const Facts& facts, std::uint64_t type) {
  std::string names;
  for (const SpaceFacts& space : facts.spaces) {
    if ((space.flags & type) == 0) continue;
    names += (names.empty() ? "" : " ") +
             std::string(profile_of_flags(space.flags).name);
  }
  return names;
}

void require_as_asked(const Facts& facts, const MakeOptions& options,
                      const std::vector<std::string>& devices) {
  require_effective("data", options.data,
                    profiles_of(facts, BTRFS_BLOCK_GROUP_DATA));
  require_effective("metadata", options.metadata,
                    profiles_of(facts, BTRFS_BLOCK_GROUP_METADATA));
  require_effective("system chunks", options.metadata,
                    profiles_of(facts, BTRFS_BLOCK_GROUP_SYSTEM));
  require_effective("checksum", options.checksum, facts.checksum);
  require_effective("node_size", std::to_string(options.node_bytes),
                    std::to_string(facts.node_bytes));
  require_effective("sector_size", std::to_string(options.sector_bytes),
                    std::to_string(facts.sector_bytes));
  // A device may come back from the kernel under another of its names: udev
  // scans a mapping as /dev/dm-0, whatever it was mounted as.
  const auto listed = [](std::vector<std::string> paths) {
    for (std::string& path : paths) path = resolved_path(path);
    std::sort(paths.begin(), paths.end());
    std::string text;
    for (const std::string& path : paths) {
      text += (text.empty() ? "" : " ") + path;
    }
    return text;
  };
  std::vector<std::string> found;
  for (const DeviceFacts& device : facts.devices) found.push_back(device.path);
  require_effective("devices", listed(devices), listed(found));
}

Space space_of(const Facts& facts) {
  Space space;
  for (const DeviceFacts& device : facts.devices) {
    space.raw_bytes += device.total_bytes;
    space.allocated_bytes += device.allocated_bytes;
  }
  double factor = 1;
  for (const SpaceFacts& one : facts.spaces) {
    space.used_bytes += one.used_bytes;
    if ((one.flags & BTRFS_BLOCK_GROUP_DATA) == 0) continue;
    space.usable_bytes += one.total_bytes - one.used_bytes;
    factor = raw_factor(profile_of_flags(one.flags), facts.devices.size());
  }
  space.usable_bytes += static_cast<std::uint64_t>(
      static_cast<double>(space.raw_bytes - space.allocated_bytes) / factor);
  return space;
}

std::string compression_of(const std::string& mountinfo,
                           const std::string& target) {
  std::string options;
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    // id parent major:minor root target options... - type source options
    std::istringstream words(line);
    std::string word, where;
    for (int i = 0; i < 5; ++i) words >> where;
    if (where != target) continue;
    while (words >> word && word != "-") {
    }
    words >> word >> word >> options;
  }
  std::istringstream words(options);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.rfind("compress=", 0) == 0) return word.substr(9);
  }
  return "no";
}

}  // namespace cowbench::btrfs
