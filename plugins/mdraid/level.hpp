// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace cowbench::mdraid {

struct Level {
  const char* name;
  std::uint32_t minimum_devices;
  std::uint32_t parity;  // devices' worth of it in a stripe
  bool redundant;
  const char* module;          // that the kernel needs for it
  const char* default_layout;  // of mdadm; nullptr: has none to choose
};

// nullptr for a name that isn't a level.
const Level* find_level(const std::string& name);

// What mdadm --detail calls a layout that it was given: "n2" is "near=2". The
// same text when it has no other name.
std::string layout_in_words(const std::string& layout);

// Copies of each block in a layout of raid10: 2 for "f2".
std::uint32_t copies_of(const std::string& layout);

// What `devices` members of `member_bytes` each will hold, less metadata; so
// the truth is a little less.
std::uint64_t capacity(const Level& level, const std::string& layout,
                       std::uint64_t devices, std::uint64_t member_bytes);

}  // namespace cowbench::mdraid
