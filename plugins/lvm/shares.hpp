// SPDX-License-Identifier: Apache-2.0
// What the volume takes of its devices and, when it is from a pool, claims of
// the pool: as LVM counts it, held against the shares that were asked for.
#pragma once

#include <string>

#include "lvm/read_back.hpp"

namespace cowbench::lvm {

// With two digits behind the point: "49.80".
std::string percent_text(std::uint64_t part, std::uint64_t whole);

// Extents that the volume takes of its own devices with all that protects it.
// A cache lies on others and doesn't count.
std::uint64_t taken_extents(const Settings& settings, const ReadBack& found);

// `data` is the pool's, `volume` the size that the volume claims, in extents.
// Throws Error(COWBENCH_TOOL_FAILED) when that isn't virtual_percent, or more
// than the pool can hold where that was asked for.
void require_virtual_size(const Settings& settings, std::uint64_t data,
                          std::uint64_t volume);

// `reported`: bytes, as lvs has them. Throws Error(COWBENCH_TOOL_FAILED) unless
// that is what was asked for, or chosen, rounded up to extents.
void require_thin_metadata(const Settings& settings,
                           const DeviceExtents& devices,
                           const std::string& reported);

// Throws Error(COWBENCH_TOOL_FAILED) for the first share, or size that follows
// from one, which isn't as asked for.
void require_shares(const Settings& settings, const ReadBack& found);

void report_shares(const Host& host, const Settings& settings,
                   const ReadBack& found);

}  // namespace cowbench::lvm
