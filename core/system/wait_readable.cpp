// SPDX-License-Identifier: Apache-2.0
#include "system/wait_readable.hpp"

#include <poll.h>

#include <cerrno>
#include <ctime>

#include "system/clock.hpp"

namespace cowbench {

int wait_readable(int fd, std::uint64_t duration_ns) {
  const std::uint64_t begin = now_ns();
  std::uint64_t left = duration_ns;
  for (;;) {
    timespec wait{};
    wait.tv_sec = static_cast<time_t>(left / kNsPerSecond);
    wait.tv_nsec = static_cast<long>(left % kNsPerSecond);
    pollfd item{fd, POLLIN, 0};
    const int ready = ppoll(&item, 1, &wait, nullptr);
    if (ready >= 0 || errno != EINTR) return ready;
    const std::uint64_t passed = now_ns() - begin;
    left = passed < duration_ns ? duration_ns - passed : 0;
  }
}

}  // namespace cowbench
