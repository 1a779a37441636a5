// SPDX-License-Identifier: Apache-2.0
#include "zfs/zfs.hpp"

namespace cowbench::zfs {

std::vector<std::string> Zfs::properties() const {
  // legacy: mounted by the host, which keeps account of mounts.
  std::vector<std::string> all = {
      "mountpoint=legacy",
      "recordsize=" + std::to_string(host().amount("recordsize")),
      "special_small_blocks=" +
          std::to_string(host().amount("special_small_blocks"))};
  for (const char* key : {"atime", "relatime", "xattr", "dnodesize"}) {
    all.push_back(std::string(key) + "=" + host().text(key));
  }
  return all;
}

void Zfs::check() {
  for (const std::string& problem : layout_problems(host())) {
    host().problem(problem);
  }
  for (const char* key : {"recordsize", "special_small_blocks"}) {
    const std::uint64_t bytes = host().amount(key);
    if ((bytes & (bytes - 1)) == 0) continue;
    host().problem(std::string(key) + ": " + std::to_string(bytes) +
                   " is not a power of two");
  }
}

void Zfs::plan() {
  host().plan_command(pool().create_command());
  host().plan_command(pool().dataset_command({}, properties()));
}

void Zfs::versions() { pool().report_versions(); }

void Zfs::assemble() {
  pool().create();
  pool().create_dataset({}, properties());
  pool().report_tunables();
  mount();
}

void Zfs::mount() const {
  host().mount(pool().dataset(), "zfs", host().text("mount_options"));
}

void Zfs::disassemble() {
  host().unmount();
  pool().remove();
}

void Zfs::deactivate() {
  host().unmount();
  pool().stop();
}

void Zfs::activate() {
  pool().start();
  mount();
  verify();
}

void Zfs::verify() { pool().verify(); }

void Zfs::usage(cowbench_usage& usage) {
  for (const cowbench_device* device : host().devices()) {
    usage.raw_bytes += device->size_bytes;
  }
  usage.allocated_bytes = allocated_raw_bytes(pool().space());
  const Properties found = pool().dataset_properties();
  usage.used_bytes = number(found, "used");
  usage.usable_bytes = number(found, "available");
  usage.source =
      "zpool list -v, mirrors times their devices; zfs get used and available "
      "of the dataset, without cache and log";
}

// A directory's entry takes 8 bytes at least, however well its block is
// compressed: in a large directory it holds 64 bits of a salted hash, which
// do not compress; in a small one (fixed slots in one block) LZ4 needs a
// sequence of 4 bytes or more for the object's number and one for the name,
// as both differ from the entry before.
// Inodes of 512 bytes lie 32 to a block of 16 KiB, fewer when they are larger.
// Such a block is never embedded in a block pointer, so it takes at least one
// unit of allocation.
std::uint64_t Zfs::cold_metadata_bytes(std::uint64_t entries,
                                       bool with_inodes) {
  constexpr std::uint64_t kEntryBytes = 8;
  constexpr std::uint64_t kInodesInBlock = 32;
  const std::uint64_t unit = std::uint64_t{1} << host().integer("ashift");
  std::uint64_t all = entries * kEntryBytes;
  if (with_inodes) all += entries / kInodesInBlock * unit;
  // Mounting and finding the directory read blocks of inodes and directories
  // before the pass begins, and what was prefetched with them.
  const std::uint64_t read_before = 64 * unit;
  return all > read_before ? all - read_before : 1;
}

void Zfs::supports_reflink() {
  const std::string enabled = module_parameter("zfs_bclone_enabled");
  if (enabled != "1") {
    throw Error(
        COWBENCH_UNSUPPORTED,
        "block cloning is off: the module's zfs_bclone_enabled is " + enabled);
  }
  const Properties found = pool().pool_properties();
  const auto feature = found.find("feature@block_cloning");
  if (feature != found.end() &&
      (feature->second == "enabled" || feature->second == "active")) {
    return;
  }
  throw Error(COWBENCH_UNSUPPORTED,
              "block cloning is off: the pool's feature@block_cloning is " +
                  (feature == found.end() ? "unknown to this release"
                                          : feature->second));
}

}  // namespace cowbench::zfs
