// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::btrfs {

// The layer's keys of a stack file that decide what is made.
struct MakeOptions {
  std::string data, metadata;  // names of profiles
  std::string checksum;
  std::uint64_t node_bytes = 0;
  std::uint64_t sector_bytes = 0;
  bool discard = false;
  std::vector<std::string> mkfs_arguments;
};

MakeOptions make_options(const Host& host);

// The command that makes the filesystem on `devices`. It asks nothing.
std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::vector<std::string>& devices);

// Mount options that name every device, so that the kernel needs no earlier
// scan and can't take a stranger in; then compression ("no": none), then
// `further`.
std::string mount_options(const std::vector<std::string>& devices,
                          const std::string& compress,
                          const std::string& further);

// The release out of what `mkfs.btrfs --version` writes: "6.2". Empty when it
// looks like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::btrfs
