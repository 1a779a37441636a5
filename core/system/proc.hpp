// SPDX-License-Identifier: Apache-2.0
// The list of processes. Private to this folder.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace cowbench {

std::vector<pid_t> all_pids();
// "/proc/12/fd"
std::string proc_path(pid_t pid, const std::string& name);
// Its argv, or its short name in brackets for a kernel thread.
std::string command_of(pid_t pid);

}  // namespace cowbench
