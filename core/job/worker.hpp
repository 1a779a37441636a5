// SPDX-License-Identifier: Apache-2.0
// The worker: builds the stack, runs the phases, tears down, each step in a
// process of its own, and tells the supervisor everything.
#pragma once

#include <cstdint>
#include <string>

namespace cowbench {

// The most that building or taking down a stack may take: generous, for slow
// members.
inline constexpr std::uint64_t kStepLimitNs = 600'000'000'000;

// The main function of a worker process: `fd` is its end of the channel,
// `plan_path` the job's plan.json. Returns the exit code.
int run_worker(int fd, const std::string& plan_path);

}  // namespace cowbench
