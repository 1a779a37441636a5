// SPDX-License-Identifier: Apache-2.0
#include "system/block.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "base/text.hpp"
#include "system/file.hpp"
#include "system/sysfs.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

// sysfs counts sizes in these, whatever the device's sectors are.
constexpr std::uint64_t kSectorBytes = 512;

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

// The kernel's own name for the node, where that node is there.
std::string node_path(const std::string& sysfs, const std::string& path,
                      DeviceNumber number) {
  // sysfs writes a slash in a name as an exclamation mark.
  std::string name = name_of(sysfs);
  for (char& c : name) {
    if (c == '!') c = '/';
  }
  const auto found = block_device_number("/dev/" + name);
  return found && *found == number ? "/dev/" + name : canonical_path(path);
}

// How the disk is attached, from its place in the tree of devices; a virtual
// device has the name of its driver.
std::string transport_of(const std::string& disk) {
  for (const char* bus : {"nvme", "usb", "virtio", "ata", "mmc"}) {
    if (disk.find("/" + std::string(bus)) != std::string::npos) return bus;
  }
  if (!disk.starts_with("/sys/devices/virtual/")) return {};
  const std::string name = name_of(disk);
  const auto end = name.find_last_not_of("0123456789-");
  return name.substr(0, end + 1);
}

std::vector<std::string> partitions_of(const std::string& disk) {
  std::vector<std::string> names;
  for (const auto& name : list_folder(disk)) {
    if (path_exists(disk + "/" + name + "/partition")) names.push_back(name);
  }
  return names;
}

}  // namespace

std::string parse_scheduler(std::string_view text) {
  const auto begin = text.find('[');
  const auto end = text.find(']', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    return std::string(trim(text));
  }
  return std::string(text.substr(begin + 1, end - begin - 1));
}

Result<BlockFacts> block_facts(const std::string& path) {
  const auto number = block_device_number(path);
  if (!number) return number.error();
  const auto folder = sysfs_folder(*number);
  if (!folder) return folder.error();
  BlockFacts facts;
  facts.number = *number;
  facts.path = node_path(*folder, path, *number);
  facts.partition = path_exists(*folder + "/partition");
  const std::string disk = facts.partition ? folder_of(*folder) : *folder;
  const std::string queue = disk + "/queue/";
  if (facts.partition) {
    facts.parent = "/dev/" + name_of(disk);
  } else {
    facts.partitions = partitions_of(disk);
  }
  facts.size_bytes = sysfs_number(*folder + "/size") * kSectorBytes;
  facts.read_only = sysfs_number(*folder + "/ro") != 0;
  facts.holders = list_folder(*folder + "/holders");
  facts.model = read_trimmed(disk + "/device/model");
  facts.transport = transport_of(disk);
  const auto number32 = [&queue](const char* name) {
    return static_cast<std::uint32_t>(sysfs_number(queue + name));
  };
  facts.logical_sector_bytes = number32("logical_block_size");
  facts.physical_sector_bytes = number32("physical_block_size");
  facts.rotational = number32("rotational") != 0;
  facts.scheduler = parse_scheduler(read_trimmed(queue + "scheduler"));
  facts.write_cache = read_trimmed(queue + "write_cache");
  facts.queue_requests = number32("nr_requests");
  facts.max_request_kib = number32("max_sectors_kb");
  facts.discard_granularity_bytes = sysfs_number(queue + "discard_granularity");
  facts.discard_max_bytes = sysfs_number(queue + "discard_max_bytes");
  return facts;
}

Status zero_device(const std::string& path) {
  const auto facts = block_facts(path);
  if (!facts) return facts.error();
  const UniqueFd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_EXCL));
  if (!fd.valid()) return system_error("open", path, errno);
  constexpr int kPunch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (fallocate(fd.get(), kPunch, 0, static_cast<off_t>(facts->size_bytes)) ==
      0) {
    return {};
  }
  std::uint64_t range[2] = {0, facts->size_bytes};
  if (ioctl(fd.get(), BLKZEROOUT, range) == 0) return {};
  return system_error("zero", path, errno);
}

}  // namespace cowbench
