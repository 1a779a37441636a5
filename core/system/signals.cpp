// SPDX-License-Identifier: Apache-2.0
#include "system/signals.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include "system/system_error.hpp"

namespace cowbench {
namespace {

std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void remember_signal(int number) {
  int none = 0;
  first_signal.compare_exchange_strong(none, number);
}

}  // namespace

Status install_signal_handlers() {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = remember_signal;
  for (const int number : {SIGINT, SIGTERM}) {
    if (sigaction(number, &action, nullptr) != 0) {
      return system_error("install the handler of a signal", "", errno);
    }
  }
  action.sa_handler = SIG_IGN;
  if (sigaction(SIGPIPE, &action, nullptr) != 0) {
    return system_error("ignore SIGPIPE", "", errno);
  }
  return {};
}

int pending_signal() { return first_signal; }

}  // namespace cowbench
