// SPDX-License-Identifier: Apache-2.0
// The only clocks of the core.
#pragma once

#include <cstdint>
#include <string>

namespace cowbench {

inline constexpr std::uint64_t kNsPerMs = 1'000'000;
inline constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

// CLOCK_MONOTONIC in nanoseconds: for every duration and deadline.
std::uint64_t now_ns();

// Time of day, UTC, whole seconds: "2025-03-01T12:00:00Z". For records only.
std::string utc_now_iso8601();

// Sleeps that long even when signals arrive.
void sleep_ns(std::uint64_t duration_ns);

}  // namespace cowbench
