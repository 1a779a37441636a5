// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cowbench::workloads {

// Nanoseconds of CLOCK_MONOTONIC. That clock and not the raw one, because
// sleeping until an absolute time exists only for it; both never step.
// Never fails. Any thread.
std::uint64_t monotonic_ns();

// Sleeps until monotonic_ns() >= `deadline_ns`; returns at once when that is
// past. A signal doesn't end the sleep early. Any thread.
void sleep_until_ns(std::uint64_t deadline_ns);

}  // namespace cowbench::workloads
