// SPDX-License-Identifier: Apache-2.0
// Members: the block devices that a stack stands on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "ledger/ledger.hpp"
#include "system/block.hpp"

namespace cowbench {

// A blank disk of a virtual machine, as its host made it.
struct VirtualDisk {
  std::string serial;          // how the guest finds it
  std::string image;           // the file behind it, on the host
  std::string filesystem;      // that the file lies on
  bool memory_backed = false;  // which is in memory
  std::string model;           // what it imitates; empty: nothing
  // 0: as fast as the host.
  std::uint64_t iops = 0;
  std::uint64_t bytes_per_second = 0;

  void write(JsonWriter& json) const;  // as an object
  static VirtualDisk read(const JsonValue& json);
};

// What is wanted for one member.
struct MemberPlan {
  std::string group;
  std::uint32_t index = 0;       // within its group
  std::uint64_t size_bytes = 0;  // of an image, or to use of a device; 0: all
  std::string device;            // a real device; empty: a loop device is made
  bool wipe = false;             // the user consented for this very device
  std::optional<VirtualDisk> disk;  // a disk of the guest, and no device

  std::string name() const { return group + std::to_string(index); }
};

// One that is there.
struct Member {
  std::string name;  // "data0"
  std::string group;
  std::uint32_t index = 0;
  std::string path;  // of the block device to use
  std::uint64_t size_bytes = 0;
  std::string kind;          // "loop", "device", "slice", "virtual"
  std::string image;         // kinds loop and virtual: the file behind it
  std::string disk;          // kinds device and slice: what the user gave
  std::string slice;         // how a slice is made: "kernel partition", "loop"
  bool known_blank = false;  // reads as zeros all over
  bool direct_io = false;    // of the loop device, as read back
  std::optional<VirtualDisk> virtual_disk;  // kind virtual
  BlockFacts facts;

  // The JSON object of the `members` event, and back.
  void write(JsonWriter& json) const;
  static Member read(const JsonValue& json);
};

// Makes the members in order: images are made sparse in `image_folder` and
// attached with direct I/O asked for; real devices are wiped first where the
// user consented, and cut to size without writing to them; disks of a guest
// are waited for. Everything is in the ledger before it exists; undoing the
// ledger releases the members, also after an error here.
Result<std::vector<Member>> make_members(const std::vector<MemberPlan>& plans,
                                         const std::string& image_folder,
                                         Ledger& ledger);

// Zeroes the disks of a guest, which are taken for blank to the last sector;
// for after a phase that wrote to them.
Status zero_virtual_members(const std::vector<Member>& members);

// Records in the ledger what signatures the stack has put on real devices, so
// that a later clean wipes those and no others. Once the stack is assembled.
Status record_signatures(Ledger& ledger);

}  // namespace cowbench
