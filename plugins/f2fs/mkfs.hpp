// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::f2fs {

// The layer's keys of a stack file that decide what is made.
struct MakeOptions {
  std::vector<std::string> features;  // with those that compression needs
  std::uint64_t segments_per_section = 1;
  double overprovision_percent = 0;  // 0: the tool's choice
  bool discard = false;
  std::vector<std::string> mkfs_arguments;
};

MakeOptions make_options(const Host& host);

// The command that makes the filesystem on `device`. It asks nothing.
std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::string& device);

// Compression of all files ("no": none), then `further`.
std::string mount_options(const std::string& compress,
                          const std::string& further);

// The release out of what `mkfs.f2fs -V` writes: "1.16.0". Empty when it
// looks like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::f2fs
