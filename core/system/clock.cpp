// SPDX-License-Identifier: Apache-2.0
#include "system/clock.hpp"

#include <cerrno>
#include <ctime>

namespace cowbench {

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kNsPerSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::string utc_now_iso8601() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2025-03-01T12:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void sleep_ns(std::uint64_t duration_ns) {
  const std::uint64_t end = now_ns() + duration_ns;
  timespec until{};
  until.tv_sec = static_cast<time_t>(end / kNsPerSecond);
  until.tv_nsec = static_cast<long>(end % kNsPerSecond);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) ==
         EINTR) {
  }
}

}  // namespace cowbench
