// SPDX-License-Identifier: Apache-2.0
// Members: the block devices that a stack stands on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "ledger/ledger.hpp"
#include "system/block.hpp"

namespace cowbench {

// What is wanted for one member.
struct MemberPlan {
  std::string group;
  std::uint32_t index = 0;       // within its group
  std::uint64_t size_bytes = 0;  // of an image, or to use of a device; 0: all
  std::string device;            // a real device; empty: a loop device is made
  bool wipe = false;             // the user consented for this very device

  std::string name() const { return group + std::to_string(index); }
};

// One that is there.
struct Member {
  std::string name;  // "data0"
  std::string group;
  std::uint32_t index = 0;
  std::string path;  // of the block device to use
  std::uint64_t size_bytes = 0;
  std::string kind;   // "loop", "device", "slice"
  std::string image;  // kind loop: the file behind it
  std::string disk;   // kinds device and slice: what the user gave
  std::string slice;  // how a slice is made: "kernel partition", "loop"
  bool known_blank = false;
  bool direct_io = false;  // of the loop device, as read back
  BlockFacts facts;

  // The JSON object of the `members` event, and back.
  void write(JsonWriter& json) const;
  static Member read(const JsonValue& json);
};

// Makes the members in order: images are made sparse in `image_folder` and
// attached with direct I/O asked for; real devices are wiped first where the
// user consented, and cut to size without writing to them. Everything is in
// the ledger before it exists; undoing the ledger releases the members, also
// after an error here.
Result<std::vector<Member>> make_members(const std::vector<MemberPlan>& plans,
                                         const std::string& image_folder,
                                         Ledger& ledger);

// Records in the ledger what signatures the stack has put on real devices, so
// that a later clean wipes those and no others. Once the stack is assembled.
Status record_signatures(Ledger& ledger);

}  // namespace cowbench
