// SPDX-License-Identifier: Apache-2.0
// Waiting for a descriptor. Private to this folder.
#pragma once

#include <cstdint>

namespace cowbench {

// 1 when fd can be read (or is at its end), 0 when duration_ns has passed, -1
// with errno. Signals do not end the wait.
int wait_readable(int fd, std::uint64_t duration_ns);

}  // namespace cowbench
