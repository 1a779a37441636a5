// SPDX-License-Identifier: Apache-2.0
#include "ext4/ext4.hpp"

#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>

#include "ext4/mkfs.hpp"
#include "ext4/superblock.hpp"

namespace cowbench::ext4 {
namespace {

// EXT4_IOC_GETFSUUID, of Linux 5.19 and later; no header of the distribution
// has it.
struct FilesystemUuid {
  std::uint32_t length = 16;
  std::uint32_t flags = 0;
  unsigned char bytes[16] = {};
};
constexpr unsigned long kGetUuid = _IOR('f', 44, std::uint64_t);

}  // namespace

std::string Ext4::device() const { return host().devices().at(0)->path; }

void Ext4::check() {
  const MakeOptions options = make_options(host());
  const auto power_of_two = [this](const char* key, std::uint64_t value) {
    if ((value & (value - 1)) == 0) return;
    host().problem(std::string(key) + ": " + std::to_string(value) +
                   " is not a power of two");
  };
  power_of_two("block_size", options.block_bytes);
  power_of_two("inode_size", options.inode_bytes);
  if (options.inode_bytes > options.block_bytes) {
    host().problem("inode_size: larger than block_size");
  }
  if (options.bytes_per_inode < options.block_bytes) {
    host().problem("bytes_per_inode: smaller than block_size");
  }
}

void Ext4::plan() {
  host().plan_command(mkfs_command(make_options(host()), device()));
  host().plan_command({"dumpe2fs", "-h", device()});
}

void Ext4::versions() {
  // It writes to standard error only.
  const CommandResult result = host().run({"mkfs.ext4", "-V"});
  host().version("e2fsprogs", parse_version(result.err));
}

void Ext4::assemble() {
  host().run_checked(mkfs_command(make_options(host()), device()));
  read_back();
  mount();
  verify();
}

// Before mounting, so that dumpe2fs reads what mkfs.ext4 wrote and nothing
// that the kernel has changed since.
void Ext4::read_back() const {
  const MakeOptions options = make_options(host());
  const Superblock found =
      parse_superblock(host().run_checked({"dumpe2fs", "-h", device()}));
  require_effective("block_size", std::to_string(options.block_bytes),
                    std::to_string(found.block_bytes));
  require_effective("inode_size", std::to_string(options.inode_bytes),
                    std::to_string(found.inode_bytes));
  std::string features;
  for (const std::string& name : found.features) {
    features += (features.empty() ? "" : " ") + name;
  }
  for (const std::string& missing :
       missing_features(options.features, found.features)) {
    throw Error(COWBENCH_TOOL_FAILED, "features: asked for " + missing +
                                          ", in effect are " + features);
  }
  host().set_state("uuid", found.uuid);
  host().effective("uuid", found.uuid);
  host().effective("block_size", std::to_string(found.block_bytes));
  host().effective("inode_size", std::to_string(found.inode_bytes));
  host().effective("inodes", std::to_string(found.inodes));
  host().effective("features", features);
  host().effective("journal_size", found.journal_size);
  host().effective("stripe_unit", std::to_string(found.stripe_unit_bytes));
  host().effective("stripe_width", std::to_string(found.stripe_width_bytes));
  host().effective("discard_at_mkfs", true_or_false(options.discard));
  // The superblock doesn't tell; this is what was asked for.
  host().effective("mkfs_extended_options", extended_options(options));
}

void Ext4::mount() const {
  host().mount(device(), "ext4", host().text("mount_options"));
}

void Ext4::disassemble() { host().unmount(); }

void Ext4::deactivate() { host().unmount(); }

void Ext4::activate() {
  mount();
  verify();
}

void Ext4::verify() {
  FilesystemUuid found;
  MountedDirectory(host().mount_point())
      .control(kGetUuid, &found, "EXT4_IOC_GETFSUUID");
  require_effective("uuid", host().state("uuid"), uuid_text(found.bytes));
}

void Ext4::usage(cowbench_usage& usage) { usage_of_free_blocks(host(), usage); }

// A directory entry takes 8 bytes and its name, padded to a multiple of 4, so
// 12 at least; an inode takes its slot in a table. Blocks are read whole, so
// the truth is always more.
std::uint64_t Ext4::cold_metadata_bytes(std::uint64_t entries,
                                        bool with_inodes) {
  constexpr std::uint64_t kEntryBytes = 12;
  const std::uint64_t inode = with_inodes ? host().amount("inode_size") : 0;
  // Mounting and finding the directory read ahead in the inode table (32
  // blocks each time, inode_readahead_blks), before the pass begins.
  const std::uint64_t read_ahead = 2 * 32 * host().amount("block_size");
  const std::uint64_t all = entries * (kEntryBytes + inode);
  return all > read_ahead ? all - read_ahead : 1;
}

}  // namespace cowbench::ext4
