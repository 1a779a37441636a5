// SPDX-License-Identifier: Apache-2.0
// Partitions the kernel knows about but no table on the disk does: a slice
// of a device that leaves no trace on it.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace cowbench {

// Makes partition `number` of a whole disk and waits for its node.
// start_bytes and length_bytes: multiples of the logical sector.
// Result: the path of the partition.
Result<std::string> add_partition(const std::string& disk, int number,
                                  std::uint64_t start_bytes,
                                  std::uint64_t length_bytes);

// Whether partition `number` is there and begins at byte 0, where no table has
// room for itself: one that add_partition made for a slice, never one of a
// table.
bool is_kernel_only_partition(const std::string& disk, int number);

// Takes it away, trying again while it is busy. An absent partition is
// success. The error lists the holders.
Status delete_partition(const std::string& disk, int number);

// "/dev/loop0", 1 -> "/dev/loop0p1"; "/dev/sda", 1 -> "/dev/sda1".
std::string partition_path(const std::string& disk, int number);

}  // namespace cowbench
