// SPDX-License-Identifier: Apache-2.0
// Where the crash tests kill us.
#pragma once

#include <string_view>

namespace cowbench {

// The hook of the crash tests. When the variable COWBENCH_FAULT_POINT is
// "name:N", the N-th (from 1) call with that name in this process ends it
// with SIGKILL; "name:N:parent" kills the parent process first. Without the
// variable, which is read once, the call does nothing.
void fault_point(std::string_view name);

}  // namespace cowbench
