// SPDX-License-Identifier: Apache-2.0
// The program's first process inside a guest.
#pragma once

#include <string>

namespace cowbench {

// The internal command that a guest's start-up script runs.
inline constexpr char kGuestCommand[] = "internal-guest";

// The main function: makes the job's ledger, then is the worker, with the
// character device `port` as its channel. Returns the exit code.
int run_guest(const std::string& port, const std::string& plan_path);

}  // namespace cowbench
