// SPDX-License-Identifier: Apache-2.0
// What the kernel and mdadm say of an array that runs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mdraid/command.hpp"

namespace cowbench::mdraid {

struct MemberFacts {
  std::string name;   // the kernel's: "sda"
  std::string state;  // "in_sync", "spare", "faulty", ...
};

// From the files in /sys/block/<array>/md. Texts are empty where the level has
// no such file.
struct ArrayFacts {
  std::string level;
  std::string metadata;
  std::string uuid;
  std::string array_state;  // "clean", "active", "read-auto", ...
  std::string consistency_policy;
  std::string bitmap_location;  // "none", "+8"
  std::uint64_t bitmap_chunk_bytes = 0;
  std::uint64_t chunk_bytes = 0;
  std::uint32_t raid_devices = 0;
  std::string degraded;      // devices that are missing
  std::string sync_action;   // "idle", "resync", ...
  std::string resync_start;  // "none": all is in sync
  std::uint64_t component_bytes = 0;
  std::vector<MemberFacts> members;
};

// Reads a folder such as /sys/block/md0/md.
ArrayFacts read_array(const std::string& folder);

// The lines "Label : text" of mdadm --detail or --examine; a label that occurs
// twice counts once, the first time.
std::vector<std::pair<std::string, std::string>> labels_of(
    const std::string& text);
// The text behind a label, or "".
std::string label(const std::string& text, const std::string& name);

// The value of KEY in the lines "KEY=value" of mdadm --export, or "".
std::string exported(const std::string& text, const std::string& key);

// Throws Error(COWBENCH_TOOL_FAILED) for the first parameter that isn't what
// was asked for. `detail` is what mdadm --detail writes, `members` are kernel
// names.
void require_as_asked(const ArrayFacts& facts, const std::string& detail,
                      const MakeOptions& options, const Names& names,
                      std::vector<std::string> members);

// Nothing is left to resync or to rebuild. Throws Error(COWBENCH_DEVICE_LOST)
// when a member is faulty: such an array never will be.
bool in_sync(const ArrayFacts& facts);

// Every member is there and the array is up.
void require_healthy(const ArrayFacts& facts);

}  // namespace cowbench::mdraid
