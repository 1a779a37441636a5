// SPDX-License-Identifier: Apache-2.0
// Signatures of filesystems, arrays and partition tables on a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

struct Signature {
  std::string type;                // as libblkid names it
  std::string usage;               // "filesystem", "raid", "crypto", "other",
                                   // "partition-table"
  std::uint64_t offset_bytes = 0;  // of the magic bytes
  std::string label;
  std::string uuid;
};

// Every signature that libblkid knows, at both ends and between.
// path: a block device or an image file, opened read-only.
Result<std::vector<Signature>> find_signatures(const std::string& path);

// Removes all signatures, zeroes the first and the last MiB, flushes, drops
// the cache and the kernel's partitions and probes again; an error when
// anything is left. Opens a block device exclusively, so a used one is
// refused.
Status wipe_signatures(const std::string& path);

}  // namespace cowbench
