// SPDX-License-Identifier: Apache-2.0
// The lines of `dmsetup table` and `dmsetup status`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cowbench::device_mapper {

// One line: one target of one device.
struct Target {
  // As in /dev/mapper; empty where dmsetup was asked for one device only, for
  // then it prints no names.
  std::string device;
  std::uint64_t start_sectors = 0;
  std::uint64_t length_sectors = 0;
  std::string type;                    // "crypt", "integrity", "raid", ...
  std::vector<std::string> arguments;  // what comes behind the type

  std::string argument(std::size_t index) const;  // empty past the last
  bool has(const std::string& word) const;
  // What stands behind "key:" in one of the arguments; empty when none has it.
  std::string option(const std::string& key) const;
  // The argument that follows argument `key`; empty when there is none.
  std::string after(const std::string& key) const;
};

struct TargetLine {
  // Nothing, and no fault, when the line is empty behind the device's name: a
  // device without a table.
  std::optional<Target> target;
  std::string fault;  // why it is none: "not a number: x"
};
TargetLine parse_target(const std::string& line);

// All lines that are targets; others are passed over.
std::vector<Target> parse_targets(const std::string& text);

}  // namespace cowbench::device_mapper
