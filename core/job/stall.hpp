// SPDX-License-Identifier: Apache-2.0
// Evidence of a stall, taken before anything is ended.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "device/member.hpp"

namespace cowbench {

// Threads and kernel stacks of the step and of every process of the job, the
// members' counters and the newest kernel warnings, as text for people.
std::string stall_report(pid_t step, const std::string& job_tag,
                         const std::vector<Member>& members);

}  // namespace cowbench
