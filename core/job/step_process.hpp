// SPDX-License-Identifier: Apache-2.0
// Starting this program again as a worker or a step, with a channel to it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "system/channel.hpp"
#include "system/process.hpp"

namespace cowbench {

// The two internal commands; cli/main.cpp dispatches on them.
inline constexpr char kWorkerCommand[] = "internal-worker";
inline constexpr char kStepCommand[] = "internal-step";

// A child of this program and our end of its channel.
struct ChildProcess {
  Process process;
  Channel channel;
};

struct ChildRequest {
  std::string command;  // kWorkerCommand or kStepCommand
  std::string plan_path;
  std::string job_tag;  // set in its environment; empty: as here
  std::vector<int> kept_descriptors;
  bool outlives_starter = false;
};

// Runs `<this program> <command> <fd> <plan path>`.
Result<ChildProcess> start_child(const ChildRequest& request);

}  // namespace cowbench
