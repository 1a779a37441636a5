// SPDX-License-Identifier: Apache-2.0
#include "btrfs/btrfs.hpp"

#include <linux/btrfs_tree.h>

#include <cowbench/mounted.hpp>
#include <fstream>
#include <sstream>

#include "btrfs/facts.hpp"
#include "btrfs/mkfs.hpp"
#include "btrfs/profile.hpp"
#include "btrfs/registration.hpp"

namespace cowbench::btrfs {
namespace {

std::string compression_in_effect(const std::string& mount_point) {
  std::ostringstream text;
  text << std::ifstream("/proc/self/mountinfo").rdbuf();
  return compression_of(text.str(), mount_point);
}

// What mkfs.btrfs wants of each device at least, with nodes of 16 KiB.
std::uint64_t smallest_bytes(const std::string& metadata_profile) {
  const std::uint64_t mib = std::uint64_t{1} << 20;
  return metadata_profile == "single" ? 45 * mib : 109 * mib;
}

// The kernel adds a level where none was given: "zstd" reads back "zstd:3".
bool same_compression(const std::string& asked, const std::string& found) {
  return found == asked || found.rfind(asked + ":", 0) == 0;
}

}  // namespace

std::vector<std::string> Btrfs::devices() const {
  std::vector<std::string> paths;
  for (const cowbench_device* device : host().devices()) {
    paths.emplace_back(device->path);
  }
  return paths;
}

void Btrfs::check() {
  const std::size_t count = host().devices().size();
  for (const char* key : {"data", "metadata"}) {
    const Profile* profile = find_profile(host().text(key));
    if (profile == nullptr) {
      host().problem(std::string(key) + ": no profile " + host().text(key));
    } else if (count < profile->minimum_devices) {
      host().problem(std::string(key) + ": " + profile->name +
                     " needs at least " +
                     std::to_string(profile->minimum_devices) +
                     " devices, there are " + std::to_string(count));
    }
  }
  const std::uint64_t smallest = smallest_bytes(host().text("metadata"));
  for (const cowbench_device* device : host().devices()) {
    if (device->size_bytes >= smallest) continue;
    host().problem(std::string(device->path) + " has " +
                   std::to_string(device->size_bytes) +
                   " bytes; mkfs.btrfs wants " + std::to_string(smallest) +
                   " or more");
  }
}

void Btrfs::plan() {
  host().plan_command(mkfs_command(make_options(host()), devices()));
}

void Btrfs::versions() {
  host().version(
      "btrfs-progs",
      parse_version(host().run_checked({"mkfs.btrfs", "--version"})));
}

void Btrfs::assemble() {
  forget();
  host().run_checked(mkfs_command(make_options(host()), devices()));
  mount();
  read_back();
}

void Btrfs::read_back() const {
  const MakeOptions options = make_options(host());
  const Facts found = read_facts(host().mount_point());
  require_as_asked(found, options, devices());
  const std::string compression = compression_in_effect(host().mount_point());
  if (!same_compression(host().text("compress"), compression)) {
    require_effective("compress", host().text("compress"), compression);
  }
  host().set_state("uuid", found.uuid);
  host().effective("uuid", found.uuid);
  host().effective("data", profiles_of(found, BTRFS_BLOCK_GROUP_DATA));
  host().effective("metadata", profiles_of(found, BTRFS_BLOCK_GROUP_METADATA));
  host().effective("system", profiles_of(found, BTRFS_BLOCK_GROUP_SYSTEM));
  host().effective("checksum", found.checksum);
  host().effective("node_size", std::to_string(found.node_bytes));
  host().effective("sector_size", std::to_string(found.sector_bytes));
  host().effective("compress", compression);
  host().effective("devices", std::to_string(found.devices.size()));
  host().effective("discard_at_mkfs", options.discard ? "true" : "false");
}

void Btrfs::mount() const {
  const std::vector<std::string> all = devices();
  host().mount(all.at(0), "btrfs",
               mount_options(all, host().text("compress"),
                             host().text("mount_options")));
}

void Btrfs::forget() const {
  for (const std::string& device : devices()) {
    try {
      forget_device(device);
    } catch (const std::system_error& error) {
      // Containers may lack the control node; mounting names every device
      // anyway, and the kernel drops a stale entry when its number comes back.
      host().warn(error.what());
    }
  }
}

void Btrfs::disassemble() { deactivate(); }

void Btrfs::deactivate() {
  host().unmount();
  forget();
}

void Btrfs::activate() {
  mount();
  verify();
}

void Btrfs::verify() {
  const Facts found = read_facts(host().mount_point());
  require_effective("uuid", host().state("uuid"), found.uuid);
  require_as_asked(found, make_options(host()), devices());
}

void Btrfs::usage(cowbench_usage& usage) {
  const Space space = space_of(read_facts(host().mount_point()));
  usage.raw_bytes = space.raw_bytes;
  usage.allocated_bytes = space.allocated_bytes;
  usage.used_bytes = space.used_bytes;
  usage.usable_bytes = space.usable_bytes;
  usage.source =
      "BTRFS_IOC_DEV_INFO and BTRFS_IOC_SPACE_INFO; usable: free in data "
      "chunks, and unallocated by the raw factor of the data profile";
}

// In a leaf each item has a header of 25 bytes. A listing reads one DIR_INDEX
// item per entry, 30 bytes and the name; an inode's item has 160. Leaves are
// read whole and never full to the last byte, so the truth is always more.
std::uint64_t Btrfs::cold_metadata_bytes(std::uint64_t entries,
                                         bool with_inodes) {
  constexpr std::uint64_t kEntryBytes = 25 + 30 + 1;
  constexpr std::uint64_t kInodeBytes = 25 + 160;
  // Mounting and finding the directory read leaves before the pass begins: one
  // for each of the subvolume's root, the directory and its name; twice that.
  const std::uint64_t read_before = 6 * host().amount("node_size");
  const std::uint64_t all =
      entries * (kEntryBytes + (with_inodes ? kInodeBytes : 0));
  return all > read_before ? all - read_before : 1;
}

}  // namespace cowbench::btrfs
