// SPDX-License-Identifier: Apache-2.0
// The filesystem a path lies on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace cowbench {

struct FilesystemFacts {
  std::string type;    // from the mount table
  std::string source;  // likewise
  std::string target;  // its mount point
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;       // with what is reserved for root
  std::uint64_t available_bytes = 0;  // for ordinary users
  std::uint64_t total_inodes = 0;     // 0: not limited
  std::uint64_t free_inodes = 0;
  std::uint32_t block_bytes = 0;
  dev_t device = 0;  // st_dev of the path
  bool read_only = false;
  bool memory_backed = false;  // contents live in RAM (or swap)
};

// path need not exist: then its nearest existing parent counts.
Result<FilesystemFacts> filesystem_facts(const std::string& path);

// The filesystem's identity while it is mounted: st_dev of path.
Result<dev_t> filesystem_id(const std::string& path);

// Writes out everything of the one filesystem that path lies on (syncfs),
// with its errors.
Status sync_filesystem(const std::string& path);

// Whether files can be made in a folder now: its mount is writable, and a
// probe file could be made, written and removed.
Status check_writable(const std::string& folder);

}  // namespace cowbench
