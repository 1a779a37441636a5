// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::ext4 {

// The layer's keys of a stack file that decide what is made.
struct MakeOptions {
  std::uint64_t block_bytes = 0;
  std::uint64_t inode_bytes = 0;
  std::uint64_t bytes_per_inode = 0;
  bool lazy_itable_init = false;
  bool lazy_journal_init = false;
  bool discard = false;
  std::vector<std::string> features;          // as for mkfs.ext4 -O
  std::vector<std::string> extended_options;  // as for mkfs.ext4 -E
  std::vector<std::string> mkfs_arguments;
};

MakeOptions make_options(const Host& host);

// What goes behind -E: the two lazy switches, discard, then the user's.
std::string extended_options(const MakeOptions& options);

// The command that makes the filesystem on `device`. It asks nothing.
std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::string& device);

}  // namespace cowbench::ext4
