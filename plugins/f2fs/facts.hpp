// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench::f2fs {

// What the superblock on the device says.
struct Superblock {
  std::string uuid;
  std::uint32_t segments_per_section = 0;
  std::uint32_t block_bytes = 0;
  std::uint32_t main_segments = 0;  // those for files and directories
};

// Of the first 4 KiB of a device, where the superblock stands at 1 KiB. Throws
// Error(COWBENCH_TOOL_FAILED) when there is none.
Superblock parse_superblock(const std::string& bytes);

// Throws std::system_error too.
Superblock read_superblock(const std::string& device);

// What the kernel says of a mounted F2FS on the device that it calls `device`
// ("vdc").
struct Facts {
  std::vector<std::string> features;  // "extra_attr", "compression"
  std::string overprovision_segments;
};

// Throws Error(COWBENCH_DEVICE_LOST) when there is no such F2FS.
Facts read_facts(const std::string& device,
                 const std::string& root = "/sys/fs/f2fs");

// "extra_attr, compression, pin_file" as words.
std::vector<std::string> parse_features(const std::string& text);

// Those of `asked` that are not in `present`.
std::vector<std::string> missing_features(
    const std::vector<std::string>& asked,
    const std::vector<std::string>& present);

// The compression of all files among the mount options in effect, "zstd:3";
// "no" when there is none. `options` as in the mount table.
std::string compression_of(const std::string& options);

// The filesystem's options at `target` (without escapes) in the text of
// /proc/self/mountinfo; of several mounts the last. Empty when none is there.
std::string options_at(const std::string& mountinfo, const std::string& target);

}  // namespace cowbench::f2fs
