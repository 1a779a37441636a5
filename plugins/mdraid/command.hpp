// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::mdraid {

// What an array is called, all derived from the name that the host gives, so
// that every process of a job finds it again.
struct Names {
  std::string array;   // in the superblock; at most 28 characters
  std::string kernel;  // "md_<array>", below /sys/block
  std::string device;  // "/dev/md_<array>"
  std::string alias;   // "/dev/md/<array>", what mdadm is told
  std::string uuid;    // as mdadm writes it: 4 times 8 digits, with colons
};
Names names_of(const std::string& object_name);

// "11223344:..." as the kernel writes it: "11223344-5566-...".
std::string uuid_of_kernel(const std::string& uuid);

// The layer's keys of a stack file, with what is absent filled in for the
// level.
struct MakeOptions {
  std::string level;
  std::uint64_t chunk_bytes = 0;  // 0: the level has none
  std::string layout;             // empty: the level has none to choose
  std::string metadata;
  std::string bitmap;  // "internal", "none"
  std::uint64_t bitmap_chunk_bytes = 0;
  std::string consistency_policy;  // "none" without redundancy
  std::string initial_sync;
  std::vector<std::string> create_arguments;
};
MakeOptions make_options(const Host& host);

// Text of the configuration file for mdadm, in place of the host's own: the
// kernel then calls the array by name, and not by a number that may be
// another one after every stop.
constexpr const char* kConfiguration = "CREATE names=yes\n";

// Makes and starts the array without asking anything. `clean`: members agree
// already.
std::vector<std::string> create_command(
    const MakeOptions& options, const Names& names, const std::string& config,
    bool clean, const std::vector<std::string>& devices);
std::vector<std::string> assemble_command(
    const Names& names, const std::string& config,
    const std::vector<std::string>& devices);
// Never with the host's configuration, either.
std::vector<std::string> stop_command(const std::string& device);
std::vector<std::string> zero_command(const std::string& device);

// The release out of what `mdadm --version` writes: "4.4". Empty when it looks
// like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::mdraid
