// SPDX-License-Identifier: Apache-2.0
// Device-mapper's own view of volumes: what dmsetup prints, where lvs is not
// enough.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_mapper/target.hpp"

namespace cowbench::lvm {

using device_mapper::Target;

// The lines of a group's devices; those of others are not even looked at.
// Throws Error(COWBENCH_TOOL_FAILED) on a line of another shape.
std::vector<Target> parse_targets(const std::string& text,
                                  const std::string& group);

// How device-mapper calls volume `volume` of group `group`: joined by a dash,
// dashes inside either are doubled.
std::string mapping_name(const std::string& group, const std::string& volume);

// Names of the devices in `dmsetup ls` that belong to a group, hidden ones
// too.
std::vector<std::string> mappings_of(const std::string& listing,
                                     const std::string& group);

// "1.15.1" for a target type in `dmsetup targets`; empty when it is not there.
std::string target_version(const std::string& listing, const std::string& type);

// How far something that runs in the background has come.
struct Progress {
  std::uint64_t done = 0;
  std::uint64_t all = 0;
  bool idle = true;  // nothing is running any more

  bool complete() const { return idle && done >= all; }
};

// Of a status line of type "raid": sectors in sync of all, idle when the sync
// action is. Throws Error(COWBENCH_TOOL_FAILED) on an unknown shape, and
// Error(COWBENCH_DEVICE_LOST) when a device of it has failed.
Progress raid_sync(const Target& status);

// Of a status line of type "integrity": sectors whose checksums have been
// computed. Throws Error(COWBENCH_TOOL_FAILED) on an unknown shape.
Progress integrity_init(const Target& status);

// Of a status line of type "vdo".
struct VdoStatus {
  std::string mode;                // "normal", "recovering", "read-only"
  std::string index;               // "online", "opening", "closed", ...
  std::uint64_t used_blocks = 0;   // of 4 KiB, VDO's own among them
  std::uint64_t total_blocks = 0;  // of the pool's data
};
// Throws Error(COWBENCH_TOOL_FAILED) on an unknown shape.
VdoStatus vdo_status(const Target& status);

}  // namespace cowbench::lvm
