// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::xfs {

// The layer's keys of a stack file that decide what is made.
struct MakeOptions {
  std::uint64_t block_bytes = 0;
  std::uint64_t inode_bytes = 0;
  bool crc = true;
  bool reflink = true;
  bool discard = false;
  std::vector<std::string> mkfs_arguments;
};

MakeOptions make_options(const Host& host);

// The command that makes the filesystem on `device`. It asks nothing.
std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::string& device);

// The release out of what `mkfs.xfs -V` writes: "6.1.0". Empty when it looks
// like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::xfs
