// SPDX-License-Identifier: Apache-2.0
#include "job/step_process.hpp"

namespace cowbench {

Result<ChildProcess> start_child(const ChildRequest& request) {
  auto pair = Channel::create_pair();
  if (!pair) return pair.error();
  Command command;
  // Not the path: a program replaced on disk during a run must not mix two
  // versions in one job.
  command.argv = {"/proc/self/exe", request.command,
                  std::to_string(pair->second.fd()), request.plan_path};
  if (!request.job_tag.empty()) {
    command.environment = {{kJobTagVariable, request.job_tag}};
  }
  command.kept_descriptors = request.kept_descriptors;
  command.kept_descriptors.push_back(pair->second.fd());
  command.outlives_starter = request.outlives_starter;
  auto process = Process::start(command);
  if (!process) return process.error();
  pair->second.close();
  return ChildProcess{std::move(process).value(), std::move(pair->first)};
}

}  // namespace cowbench
