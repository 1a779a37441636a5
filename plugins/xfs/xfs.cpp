// SPDX-License-Identifier: Apache-2.0
#include "xfs/xfs.hpp"

#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>

#include "xfs/geometry.hpp"
#include "xfs/mkfs.hpp"

namespace cowbench::xfs {
namespace {

// mkfs.xfs refuses less since xfsprogs 5.19.
constexpr std::uint64_t kSmallestBytes = std::uint64_t{300} << 20;

}  // namespace

std::string Xfs::device() const { return host().devices().at(0)->path; }

void Xfs::check() {
  const MakeOptions options = make_options(host());
  if (options.reflink && !options.crc) {
    host().problem("reflink: needs crc; set reflink to false as well");
  }
  for (const cowbench_device* one : host().devices()) {
    if (one->size_bytes >= kSmallestBytes) continue;
    host().problem(std::string(one->path) + " has " +
                   std::to_string(one->size_bytes) +
                   " bytes; mkfs.xfs wants 300 MiB or more");
  }
}

void Xfs::plan() {
  host().plan_command(mkfs_command(make_options(host()), device()));
}

void Xfs::versions() {
  host().version("xfsprogs",
                 parse_version(host().run_checked({"mkfs.xfs", "-V"})));
}

void Xfs::assemble() {
  host().run_checked(mkfs_command(make_options(host()), device()));
  mount();
  read_back();
}

void Xfs::read_back() const {
  const MakeOptions options = make_options(host());
  const Geometry found = read_geometry(host().mount_point());
  require_effective("block_size", std::to_string(options.block_bytes),
                    std::to_string(found.block_bytes));
  require_effective("inode_size", std::to_string(options.inode_bytes),
                    std::to_string(found.inode_bytes));
  require_effective("crc", true_or_false(options.crc),
                    true_or_false(found.crc));
  require_effective("reflink", true_or_false(options.reflink),
                    true_or_false(found.reflink));
  host().set_state("uuid", found.uuid);
  host().effective("uuid", found.uuid);
  host().effective("block_size", std::to_string(found.block_bytes));
  host().effective("inode_size", std::to_string(found.inode_bytes));
  host().effective("crc", true_or_false(found.crc));
  host().effective("reflink", true_or_false(found.reflink));
  host().effective("allocation_groups",
                   std::to_string(found.allocation_groups));
  host().effective("log_bytes", std::to_string(found.log_bytes));
  host().effective("stripe_unit", std::to_string(found.stripe_unit_bytes));
  host().effective("stripe_width", std::to_string(found.stripe_width_bytes));
  host().effective("discard_at_mkfs", true_or_false(options.discard));
}

void Xfs::mount() const {
  host().mount(device(), "xfs", host().text("mount_options"));
}

void Xfs::disassemble() { host().unmount(); }

void Xfs::deactivate() { host().unmount(); }

void Xfs::activate() {
  mount();
  verify();
}

void Xfs::verify() {
  require_effective("uuid", host().state("uuid"),
                    read_geometry(host().mount_point()).uuid);
}

void Xfs::usage(cowbench_usage& usage) { usage_of_free_blocks(host(), usage); }

// An entry is smallest inside its directory's inode: length, offset, one
// letter of name and a 4-byte inode number, 8 bytes. Blocks are read whole,
// so the truth is always more.
std::uint64_t Xfs::cold_metadata_bytes(std::uint64_t entries,
                                       bool with_inodes) {
  constexpr std::uint64_t kEntryBytes = 8;
  const std::uint64_t inode = with_inodes ? host().amount("inode_size") : 0;
  // Finding the directory reads its cluster of inodes (32 of them) before the
  // pass begins, and so may mounting.
  const std::uint64_t read_before = 2 * 32 * host().amount("inode_size");
  const std::uint64_t all = entries * (kEntryBytes + inode);
  return all > read_before ? all - read_before : 1;
}

void Xfs::supports_reflink() {
  if (!host().boolean("reflink")) {
    throw Error(COWBENCH_UNSUPPORTED,
                "the filesystem was made without reflink");
  }
}

}  // namespace cowbench::xfs
