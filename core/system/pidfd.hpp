// SPDX-License-Identifier: Apache-2.0
// Processes by descriptor instead of by number. Private to this folder.
// (The header of Debian 12's C library does not work from C++.)
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "system/unique_fd.hpp"

namespace cowbench {

// Not valid, with errno, when there is no such process.
inline UniqueFd open_process(pid_t pid) {
  return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

inline void signal_process(const UniqueFd& process, int number) {
  syscall(SYS_pidfd_send_signal, process.get(), number, nullptr, 0);
}

}  // namespace cowbench
