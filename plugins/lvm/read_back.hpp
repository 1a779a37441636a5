// SPDX-License-Identifier: Apache-2.0
// What is in effect, as LVM and device-mapper report it, held against what was
// asked for.
#pragma once

#include <string>
#include <vector>

#include "lvm/group.hpp"
#include "lvm/mapping.hpp"

namespace cowbench::lvm {

struct ReadBack {
  Row group;
  std::vector<Row> volumes;     // hidden ones too
  std::vector<Target> targets;  // of device-mapper's tables
  DeviceExtents devices;

  // Throw Error(COWBENCH_TOOL_FAILED) when there is none.
  const Row& volume(const std::string& name) const {
    return row_of(volumes, "lv_name", name);
  }
  const Target& target(const std::string& type) const;
};

ReadBack read_back(const Group& group);

// The volume that the layout made, under the name that it has once a pool or
// a cache stands on it.
std::string base_volume(const Settings& settings);

// What became of the volume that was to hold the cache; throws when there is
// none.
const Row& cache_volume(const Settings& settings, const ReadBack& found);

// Throws Error(COWBENCH_TOOL_FAILED) with the first parameter that is not in
// effect as asked for, and Error(COWBENCH_DEVICE_LOST) when a volume is not
// well.
void require_as_asked(const Settings& settings, const ReadBack& found);

// Hands all that is known to the result.
void report_effective(const Host& host, const Settings& settings,
                      const ReadBack& found);

}  // namespace cowbench::lvm
