// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "device_mapper/mapping.hpp"

namespace cowbench::integrity {

// Writes zeros over all of these mappings at a time, with progress.
void wipe(const Host& host, const std::vector<std::string>& names);

// How far a mapping's checksums are, 0..1, by its line of `dmsetup status`.
double recalculated_fraction(const device_mapper::Target& status);

// Waits until the kernel has recalculated all of these mappings.
void await_recalculation(const Host& host,
                         const std::vector<std::string>& names);

}  // namespace cowbench::integrity
