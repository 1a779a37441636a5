// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench::ext4 {

// What the superblock says of itself.
struct Superblock {
  std::string uuid;
  std::vector<std::string> features;
  std::uint64_t block_bytes = 0;
  std::uint64_t inode_bytes = 0;
  std::uint64_t inodes = 0;
  std::string journal_size;  // as dumpe2fs writes it, "32M"; empty: none
  // In bytes, as mkfs.ext4 read them from the device; 0: it tells none.
  std::uint64_t stripe_unit_bytes = 0;
  std::uint64_t stripe_width_bytes = 0;
};

// Reads the output of `dumpe2fs -h`. Throws Error(COWBENCH_TOOL_FAILED) that
// names the line which isn't there.
Superblock parse_superblock(const std::string& text);

// The features of `asked` (as for mkfs.ext4 -O, so "^name" asks for none of
// it) that are not so in `present`.
std::vector<std::string> missing_features(
    const std::vector<std::string>& asked,
    const std::vector<std::string>& present);

// The release out of what `mkfs.ext4 -V` writes: "1.47.0". Empty when it
// looks like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::ext4
