// SPDX-License-Identifier: Apache-2.0
#include "f2fs/f2fs.hpp"

#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "f2fs/facts.hpp"
#include "f2fs/mkfs.hpp"
#include "f2fs/overprovision.hpp"

namespace cowbench::f2fs {
namespace {

// mkfs.f2fs refuses less: it wants some segments for each of its logs and for
// cleaning.
constexpr std::uint64_t kSmallestBytes = std::uint64_t{64} << 20;

// FS_IOC_GETFSUUID of Linux 6.9 and later; older headers lack it.
struct FilesystemUuid {
  std::uint8_t length = 0;
  std::uint8_t bytes[16] = {};
};
constexpr unsigned long kGetUuid = _IOR(0x15, 0, FilesystemUuid);

std::string options_in_effect(const std::string& mount_point) {
  std::ostringstream text;
  text << std::ifstream("/proc/self/mountinfo").rdbuf();
  return options_at(text.str(), mount_point);
}

void require_mounted(const std::string& mount_point, const std::string& uuid) {
  FilesystemUuid found;
  try {
    MountedDirectory(mount_point).control(kGetUuid, &found, "FS_IOC_GETFSUUID");
  } catch (const std::system_error& error) {
    // Before Linux 6.9 the device's own superblock must do.
    if (error.code().value() == ENOTTY) return;
    throw;
  }
  require_effective("uuid", uuid, uuid_text(found.bytes));
}

// The kernel adds a level where none was given: "zstd" reads back "zstd:3".
bool same_compression(const std::string& asked, const std::string& found) {
  return found == asked || found.rfind(asked + ":", 0) == 0;
}

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::string F2fs::device() const { return host().devices().at(0)->path; }

// A mapped device goes by its number's name, as in /dev/mapper/x -> ../dm-0.
std::string F2fs::kernel_name() const {
  const std::unique_ptr<char, Free> real(realpath(device().c_str(), nullptr));
  const std::string path = real ? real.get() : device();
  return path.substr(path.rfind('/') + 1);
}

void F2fs::check() {
  for (const cowbench_device* one : host().devices()) {
    if (one->size_bytes >= kSmallestBytes) continue;
    host().problem(std::string(one->path) + " has " +
                   std::to_string(one->size_bytes) +
                   " bytes; mkfs.f2fs wants 64 MiB or more");
  }
}

void F2fs::plan() {
  host().plan_command(mkfs_command(make_options(host()), device()));
}

void F2fs::versions() {
  host().version("f2fs-tools",
                 parse_version(host().run_checked({"mkfs.f2fs", "-V"})));
}

void F2fs::assemble() {
  host().run_checked(mkfs_command(make_options(host()), device()));
  host().set_state("uuid", read_superblock(device()).uuid);
  mount();
  require_as_asked();
  report();
}

void F2fs::require_as_asked() const {
  const MakeOptions asked = make_options(host());
  const Superblock superblock = read_superblock(device());
  require_effective("uuid", host().state("uuid"), superblock.uuid);
  require_mounted(host().mount_point(), superblock.uuid);
  require_effective("segments_per_section",
                    std::to_string(asked.segments_per_section),
                    std::to_string(superblock.segments_per_section));
  const Facts facts = read_facts(kernel_name());
  require_overprovision(superblock, asked.overprovision_percent,
                        facts.overprovision_segments);
  for (const std::string& missing :
       missing_features(asked.features, facts.features)) {
    throw Error(COWBENCH_TOOL_FAILED, "features: asked for " + missing +
                                          ", in effect are " +
                                          joined(facts.features));
  }
  const std::string compression =
      compression_of(options_in_effect(host().mount_point()));
  if (!same_compression(host().text("compress"), compression)) {
    require_effective("compress", host().text("compress"), compression);
  }
}

void F2fs::report() const {
  const Superblock superblock = read_superblock(device());
  const Facts facts = read_facts(kernel_name());
  host().effective("uuid", superblock.uuid);
  host().effective("block_size", std::to_string(superblock.block_bytes));
  host().effective("segments_per_section",
                   std::to_string(superblock.segments_per_section));
  host().effective("overprovision_segments", facts.overprovision_segments);
  host().effective(
      "overprovision_percent",
      overprovision_text(superblock, facts.overprovision_segments));
  host().effective("features", joined(facts.features));
  host().effective("compress",
                   compression_of(options_in_effect(host().mount_point())));
  // The superblock doesn't tell; this is what was asked for.
  host().effective("discard_at_mkfs", true_or_false(host().boolean("discard")));
}

void F2fs::mount() const {
  host().mount(
      device(), "f2fs",
      mount_options(host().text("compress"), host().text("mount_options")));
}

void F2fs::disassemble() { host().unmount(); }

void F2fs::deactivate() { host().unmount(); }

void F2fs::activate() {
  mount();
  require_as_asked();
}

void F2fs::verify() { require_as_asked(); }

void F2fs::usage(cowbench_usage& usage) { usage_of_free_blocks(host(), usage); }

// A directory entry takes 11 bytes and a slot of 8 for its name. Each inode
// has a block of its own.
std::uint64_t F2fs::cold_metadata_bytes(std::uint64_t entries,
                                        bool with_inodes) {
  constexpr std::uint64_t kEntryBytes = 19, kInodeBytes = 4096;
  // Mounting and finding the directory read some blocks, with a read-ahead of
  // up to 128 KiB each for the tables of addresses and for the directory.
  constexpr std::uint64_t kReadBefore = std::uint64_t{2} * 128 * 1024;
  const std::uint64_t all =
      entries * (kEntryBytes + (with_inodes ? kInodeBytes : 0));
  return all > kReadBefore ? all - kReadBefore : 1;
}

}  // namespace cowbench::f2fs
