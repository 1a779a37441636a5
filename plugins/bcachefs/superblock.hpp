// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cowbench::bcachefs {

struct SuperblockMember {
  std::string label;  // the last part of it: "fast0"; empty: none
  std::string uuid;
  std::uint64_t bucket_bytes = 0;
  std::uint64_t durability = 0;
  bool discard = false;
};

// What `bcachefs show-super` says of a filesystem.
struct Superblock {
  std::string uuid;
  std::string version;   // "1.13: inode_has_child_snapshots"
  std::string features;  // as listed
  bool encrypted = false;
  // Values in effect by the filesystem's names; sizes as the tool writes them.
  std::map<std::string, std::string> options;
  std::vector<SuperblockMember> members;
};

// Throws Error(COWBENCH_TOOL_FAILED) that names what isn't there.
Superblock parse_superblock(const std::string& text);

// What statfs(2) gives as the id of a mounted filesystem with that UUID: both
// halves of it, combined by exclusive or, low byte first.
std::uint64_t filesystem_id(const std::string& uuid);

// Throws Error(COWBENCH_TOOL_FAILED) for the first of `expected` that isn't so
// in `found`; sizes are compared as numbers. `source` is where the found
// values come from, for the text.
void require_options(const std::map<std::string, std::string>& expected,
                     const std::map<std::string, std::string>& found,
                     const std::string& source);

}  // namespace cowbench::bcachefs
