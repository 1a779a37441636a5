// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cowbench::workloads {

// Nanoseconds of CLOCK_MONOTONIC. That clock and not the raw one, because
// sleeping until an absolute time exists only for it; both never step.
// Never fails. Any thread.
std::uint64_t monotonic_ns();

// Runs `work` and returns how long it took. Whatever it throws goes through.
template <typename Work>
std::uint64_t elapsed_ns(Work&& work) {
  const std::uint64_t started = monotonic_ns();
  work();
  return monotonic_ns() - started;
}

// Sleeps until monotonic_ns() >= `deadline_ns`; returns at once when that is
// past. A signal doesn't end the sleep early. Any thread.
void sleep_until_ns(std::uint64_t deadline_ns);

}  // namespace cowbench::workloads
