// SPDX-License-Identifier: Apache-2.0
// Running programs for plugins, with the trace of all that ran.
#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "job/host_calls.hpp"
#include "plugin/table.hpp"
#include "system/clock.hpp"

namespace cowbench {

namespace {

// Enough to see what a tool said; the whole output is the plugin's to keep.
constexpr std::size_t kTraceOutput = 4096;
constexpr std::uint64_t kCommandGraceNs = 30 * kNsPerSecond;

// How soon a wait notices the wish to stop.
constexpr std::uint64_t kWaitSliceNs = 50 * kNsPerMs;

std::string tail(const std::string& text) {
  return text.size() <= kTraceOutput ? text
                                     : text.substr(text.size() - kTraceOutput);
}

}  // namespace

Result<Command> HostCalls::command_of(Instance& instance,
                                      const cowbench_command* raw) {
  instance.host_failure_.clear();
  cowbench_command copy{};
  std::memcpy(&copy, raw, std::min<std::size_t>(raw->struct_size, sizeof copy));
  Command command;
  command.argv = words_of(copy.argv);
  if (command.argv.empty()) {
    return Error(Category::kInternal, "run a command: no argument vector");
  }
  for (const std::string& pair : words_of(copy.environment)) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) continue;
    command.environment.emplace_back(pair.substr(0, equals),
                                     pair.substr(equals + 1));
  }
  if (copy.working_directory != nullptr) command.cwd = copy.working_directory;
  if (copy.input != nullptr) command.input.assign(copy.input, copy.input_bytes);
  if (copy.output_path != nullptr) command.output_path = copy.output_path;
  command.timeout_ns = copy.timeout_ns;
  if (command.timeout_ns == 0 && instance.context_.deadline_ns != 0) {
    // Later than the phase's limit, so that a stall is caught in the act.
    command.timeout_ns = instance.remaining_ns() + kCommandGraceNs;
  }
  return command;
}

void HostCalls::give(Instance& instance, CommandResult result,
                     cowbench_command_result* out) {
  instance.last_result_ = std::move(result);
  const CommandResult& kept = instance.last_result_;
  cowbench_command_result copy{};
  copy.struct_size = out->struct_size;
  copy.exit_status = kept.signal != 0 ? -1 : kept.exit_status;
  copy.signal = kept.signal;
  copy.timed_out = kept.timed_out ? 1 : 0;
  copy.stopped = kept.stopped ? 1 : 0;
  copy.out = kept.out.c_str();
  copy.out_bytes = kept.out.size();
  copy.err = kept.err.c_str();
  copy.err_bytes = kept.err.size();
  copy.duration_ns = kept.duration_ns;
  std::memcpy(out, &copy, std::min<std::size_t>(out->struct_size, sizeof copy));
}

void HostCalls::trace(Instance& instance, const std::vector<std::string>& argv,
                      const std::string& cwd, const CommandResult& result) {
  instance.context_.session.send("command", [&](JsonWriter& json) {
    json.field("where", instance.name_);
    json.key("argv").begin_array();
    for (const std::string& word : argv) json.value(word);
    json.end_array();
    if (!cwd.empty()) json.field("cwd", cwd);
    json.field("ending", result.ending())
        .field("exit_status", result.exit_status)
        .field("signal", result.signal)
        .field("timed_out", result.timed_out)
        .field("stopped", result.stopped)
        .field("duration_ns", result.duration_ns)
        .field("stdout", tail(result.out))
        .field("stderr", tail(result.err));
  });
}

cowbench_status HostCalls::run(void* context, const cowbench_command* raw,
                               cowbench_command_result* result) {
  return guarded([&] {
    Instance& instance = of(context);
    auto command = command_of(instance, raw);
    if (!command) return instance.host_failed(command.error());
    auto ended = run_command(
        *command, [&] { return instance.context_.session.should_stop(); });
    if (!ended) return instance.host_failed(ended.error());
    trace(instance, command->argv, command->cwd, *ended);
    give(instance, std::move(ended).value(), result);
    return cowbench_status{COWBENCH_OK};
  });
}

cowbench_status HostCalls::start(void* context, const cowbench_command* raw,
                                 std::uint64_t* process) {
  return guarded([&] {
    Instance& instance = of(context);
    auto command = command_of(instance, raw);
    if (!command) return instance.host_failed(command.error());
    auto started = Process::start(*command);
    if (!started) return instance.host_failed(started.error());
    *process = ++instance.last_process_;
    instance.processes_.emplace(
        *process, Instance::Background{command->argv, command->cwd,
                                       std::move(started).value()});
    return cowbench_status{COWBENCH_OK};
  });
}

cowbench_status HostCalls::wait(void* context, std::uint64_t process,
                                std::uint64_t timeout_ns,
                                cowbench_command_result* result) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const auto found = instance.processes_.find(process);
    if (found == instance.processes_.end()) {
      return instance.host_failed(
          Error(Category::kInternal, "wait for a process: no such handle"));
    }
    Instance::Background& background = found->second;
    // In slices, so that a wish to stop ends the wait as it does in run().
    const std::uint64_t start = cowbench::now_ns();
    for (;;) {
      const std::uint64_t passed = cowbench::now_ns() - start;
      const std::uint64_t left = passed < timeout_ns ? timeout_ns - passed : 0;
      if (background.process.wait_for(std::min(left, kWaitSliceNs))) break;
      if (instance.context_.session.should_stop()) break;
      if (left == 0) return COWBENCH_TIMEOUT;
    }
    CommandResult ended = background.process.running()
                              ? background.process.stop()
                              : background.process.wait();
    trace(instance, background.argv, background.cwd, ended);
    instance.processes_.erase(found);
    give(instance, std::move(ended), result);
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::stop(void* context, std::uint64_t process,
                                cowbench_command_result* result) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const auto found = instance.processes_.find(process);
    if (found == instance.processes_.end()) {
      return instance.host_failed(
          Error(Category::kInternal, "stop a process: no such handle"));
    }
    CommandResult ended = found->second.process.stop();
    trace(instance, found->second.argv, found->second.cwd, ended);
    instance.processes_.erase(found);
    give(instance, std::move(ended), result);
    return COWBENCH_OK;
  });
}

void HostCalls::plan_command(void* context, const char* const* argv) {
  guarded([&] {
    Instance& instance = of(context);
    const std::vector<std::string> words = words_of(argv);
    instance.context_.session.send("planned-command", [&](JsonWriter& json) {
      json.field("where", instance.name_).field("line", shell_quote(words));
    });
    return COWBENCH_OK;
  });
}

}  // namespace cowbench
