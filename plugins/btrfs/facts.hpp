// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "btrfs/mkfs.hpp"

namespace cowbench::btrfs {

struct DeviceFacts {
  std::uint64_t id = 0;
  std::string path;
  std::uint64_t total_bytes = 0;
  std::uint64_t allocated_bytes = 0;  // in chunks
};

// All chunks of one type and profile. Bytes are of content, not raw.
struct SpaceFacts {
  std::uint64_t flags = 0;  // BTRFS_BLOCK_GROUP_...
  std::uint64_t total_bytes = 0;
  std::uint64_t used_bytes = 0;
};

// What the kernel says of a mounted btrfs.
struct Facts {
  std::string uuid;
  std::string checksum;
  std::uint64_t node_bytes = 0;
  std::uint64_t sector_bytes = 0;
  std::vector<DeviceFacts> devices;
  std::vector<SpaceFacts> spaces;  // without the global reserve
};

struct Space {
  std::uint64_t raw_bytes = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t used_bytes = 0;
  std::uint64_t usable_bytes = 0;
};

// Asks the filesystem mounted at `mount_point`. Throws std::system_error.
Facts read_facts(const std::string& mount_point);

// The profiles of a chunk type (a BTRFS_BLOCK_GROUP_... flag) as text, those
// of several joined by blanks.
std::string profiles_of(const Facts& facts, std::uint64_t type);

// Throws Error(COWBENCH_TOOL_FAILED) for the first parameter that isn't what
// was asked for, members included.
void require_as_asked(const Facts& facts, const MakeOptions& options,
                      const std::vector<std::string>& devices);

// Allocated is what the devices have in chunks; usable is what is left in
// data chunks, and what chunks of the data profile can still be made of.
Space space_of(const Facts& facts);

// The compression among a mount's options: "no" when there is none.
// `mountinfo` is the text of /proc/self/mountinfo, `target` without escapes.
std::string compression_of(const std::string& mountinfo,
                           const std::string& target);

}  // namespace cowbench::btrfs
