// SPDX-License-Identifier: Apache-2.0
#include "system/process_list.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/text.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/pidfd.hpp"
#include "system/proc.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

bool has_variable(pid_t pid, const std::string& wanted) {
  const auto text = read_file(proc_path(pid, "environ"));
  if (!text) return false;
  const auto variables = split(*text, '\0');
  return std::find(variables.begin(), variables.end(), wanted) !=
         variables.end();
}

// The descriptor pins the process: its number cannot go to another one
// between the look at its environment and the signal.
void kill_if_tagged(pid_t pid, const std::string& wanted) {
  const UniqueFd pidfd = open_process(pid);
  if (pidfd.valid() && has_variable(pid, wanted)) {
    signal_process(pidfd, SIGKILL);
  }
}

// One file of a thread as "title: content", or nothing when it is not there.
std::string evidence(const std::string& folder, const std::string& name) {
  const auto content = read_file(folder + "/" + name);
  if (!content) return name + ": " + content.error().message() + "\n";
  const std::string text(trim(*content));
  const bool lines = text.find('\n') != std::string::npos;
  return name + (lines ? ":\n" : ": ") + text + "\n";
}

}  // namespace

std::vector<ProcessEntry> processes_with_environment(const std::string& name,
                                                     const std::string& value) {
  std::vector<ProcessEntry> found;
  for (const pid_t pid : all_pids()) {
    if (pid != getpid() && has_variable(pid, name + "=" + value)) {
      found.push_back({pid, command_of(pid)});
    }
  }
  return found;
}

Status kill_processes_with_environment(const std::string& name,
                                       const std::string& value,
                                       std::uint64_t timeout_ns) {
  const std::uint64_t deadline = now_ns() + timeout_ns;
  for (;;) {
    const auto left = processes_with_environment(name, value);
    if (left.empty()) return {};
    if (now_ns() >= deadline) {
      std::vector<std::string> names;
      for (const auto& process : left) {
        names.push_back("pid " + std::to_string(process.pid) + " (" +
                        process.command + ")");
      }
      return Error(Category::kTimeout,
                   "kill the processes with " + name + "=" + value +
                       ": still there: " + join(names, ", "));
    }
    for (const auto& process : left) {
      kill_if_tagged(process.pid, name + "=" + value);
    }
    sleep_ns(20 * kNsPerMs);
  }
}

std::string stall_evidence(pid_t pid) {
  const std::string tasks = proc_path(pid, "task");
  std::string text;
  for (const auto& thread : list_folder(tasks)) {
    const std::string folder = tasks + "/" + thread;
    std::string state;
    const auto status = read_file(folder + "/status");
    if (!status) continue;
    for (const auto& line : split(*status, '\n')) {
      if (line.starts_with("State:")) state = trim(line.substr(6));
    }
    text += "thread " + thread + " (" + read_trimmed(folder + "/comm") +
            "), state " + state + "\n" + evidence(folder, "wchan") +
            evidence(folder, "syscall") + evidence(folder, "stack");
  }
  return text;
}

}  // namespace cowbench
