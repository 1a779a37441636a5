// SPDX-License-Identifier: Apache-2.0
#include "clock.hpp"

#include <time.h>

#include <cerrno>

namespace cowbench::workloads {

namespace {
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
}

std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * kNsPerSecond +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void sleep_until_ns(std::uint64_t deadline_ns) {
  timespec until{};
  until.tv_sec = static_cast<time_t>(deadline_ns / kNsPerSecond);
  until.tv_nsec = static_cast<long>(deadline_ns % kNsPerSecond);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) ==
         EINTR) {
  }
}

}  // namespace cowbench::workloads
