// SPDX-License-Identifier: Apache-2.0
// The copies of a superblock on a device. bcachefs keeps one at 4 KiB, one
// after it, and one near the end, and a table of them at 3.5 KiB; any of them
// brings a filesystem back to life that was thought to be gone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench::bcachefs {

// Where copies and tables lie, in bytes, ascending: what the table names, and
// whatever else is found within 4 MiB of either end. Throws std::system_error.
std::vector<std::uint64_t> find_superblocks(const std::string& path);

// Overwrites all of them with zeroes, durably. Throws std::system_error when
// the device is in use (EBUSY), and Error(COWBENCH_TOOL_FAILED) when some are
// there afterwards. Answers how many there were.
std::size_t wipe_superblocks(const std::string& path);

}  // namespace cowbench::bcachefs
