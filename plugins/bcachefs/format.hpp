// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cowbench::bcachefs {

// A device as it is given to bcachefs format.
struct FormatMember {
  std::string path;
  std::string label;  // "fast.fast0"; empty: none
  std::uint64_t durability = 1;
};

// The layer's keys of a stack file that decide what is made. Sizes of 0 are
// left to the tool.
struct FormatOptions {
  std::string uuid;
  std::uint64_t data_replicas = 1, metadata_replicas = 1;
  bool erasure_code = false, encryption = false, discard = false;
  std::string compression, background_compression;
  std::string data_checksum, metadata_checksum;
  std::uint64_t block_bytes = 0, node_bytes = 0, bucket_bytes = 0;
  // By the filesystem's own names ("foreground_target"), to a group.
  std::map<std::string, std::string> targets;
  std::vector<FormatMember> members;
  std::vector<std::string> arguments;
};

// "GROUP=N" of the key durability. Throws Error(COWBENCH_BAD_CONFIG).
std::pair<std::string, std::uint64_t> parse_durability(const std::string& text);

// The value of "data_replicas" or "metadata_replicas", or else of "replicas".
std::uint64_t replicas_of(const Host& host, const char* key);

// Members carry labels, GROUP.GROUPn, where there are several groups or a
// target is given. Paths are resolved, because a colon, which names below
// /dev/disk may have, separates devices when mounting.
FormatOptions format_options(const Host& host, const std::string& uuid);

// The command that makes the filesystem. With encryption it reads the
// passphrase from standard input; otherwise it asks nothing.
std::vector<std::string> format_command(const FormatOptions& options);

// What must be in effect afterwards: values by the filesystem's names. Sizes
// are in bytes.
std::map<std::string, std::string> expected_options(
    const FormatOptions& options);

// "dev1:dev2:dev3", what mount(2) wants.
std::string mount_source(const FormatOptions& options);

// Raw bytes behind one byte of data: its copies, or by `stripes` ("2/4") the
// blocks of a stripe for each of data. Empty: no stripes.
double raw_factor(const FormatOptions& options, const std::string& stripes);

// The release out of what `bcachefs version` writes: "1.12.0". Empty when it
// looks like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::bcachefs
