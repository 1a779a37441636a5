// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as a question that loops ask.
#pragma once

#include "base/result.hpp"

namespace cowbench {

// From now on SIGINT and SIGTERM only set a flag, and SIGPIPE is ignored.
// Call once, early in main.
Status install_signal_handlers();

// The first such signal that came, or 0. Safe from any thread.
int pending_signal();

}  // namespace cowbench
