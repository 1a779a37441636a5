// SPDX-License-Identifier: Apache-2.0
// Running programs: argument vectors, never a shell.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// Every process of a job carries this variable, so that what a killed run
// left behind can be told from everything else (see process_list.hpp).
inline constexpr char kJobTagVariable[] = "COWBENCH_JOB_TAG";

// What to run. The program gets the parent's environment without LANG,
// LANGUAGE and LC_*, with LC_ALL=C and the system folders in PATH. It leads a
// process group of its own, has default signal handling, no descriptors above
// 2 beyond those named here, and (unless it may outlive it) dies when the
// thread that started it ends.
struct Command {
  std::vector<std::string> argv;  // argv[0] is searched in PATH
  std::string cwd;                // empty: the caller's
  // Added to the environment, or replacing what is there.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string input;             // standard input; empty: /dev/null
  std::uint64_t timeout_ns = 0;  // 0: no limit; for run_command
  std::string output_path;       // standard output into this file, truncated
  std::string error_path;        // standard error likewise
  // Descriptors the program keeps, under the same numbers.
  std::vector<int> kept_descriptors;
  // For a program that notices the end of its starter and then tidies up.
  bool outlives_starter = false;
};

// How a program ended. Output is kept up to 16 MiB a stream; dropped bytes
// are counted.
struct CommandResult {
  int exit_status = 0;     // valid when signal is 0
  int signal = 0;          // the signal that ended it
  bool timed_out = false;  // ended by us, at its time limit
  bool stopped = false;    // ended by us, on request
  // Survived SIGKILL (blocked inside the kernel) and was left behind.
  bool abandoned = false;
  std::string out;
  std::string err;
  std::uint64_t out_dropped_bytes = 0;
  std::uint64_t err_dropped_bytes = 0;
  std::uint64_t started_ns = 0;  // on the clock of now_ns()
  std::uint64_t duration_ns = 0;

  bool succeeded() const {
    return exit_status == 0 && signal == 0 && !timed_out && !stopped &&
           !abandoned;
  }
  // "exit status 2", "killed by SIGKILL", "stopped at its time limit", ...
  std::string ending() const;
};

// Asked every few milliseconds by waiting functions; true means give up.
// May be empty.
using ShouldStop = std::function<bool()>;

// Runs a program and waits for it. At the time limit, or when should_stop
// says so, the group gets SIGTERM and 3 s later SIGKILL. An Error means that
// the program never ran: kNotAvailable when it does not exist, otherwise
// kToolFailed. A program that ran and failed is a CommandResult.
Result<CommandResult> run_command(const Command& command,
                                  const ShouldStop& should_stop = {});

// As run_command, but a program that did not succeed is an Error too
// (kTimeout, kCancelled, kToolFailed) that quotes the command line and
// what it said (both ends of it, when that is long).
Result<CommandResult> run_checked(const Command& command,
                                  const ShouldStop& should_stop = {});

// Where PATH and the system folders hold this program.
std::optional<std::string> find_program(const std::string& name);

// The Error for a command that ended without success.
Error command_error(const Command& command, const CommandResult& result);

// A program in the background. Its output is drained by a thread, so that it
// never blocks on a full pipe. One thread at a time may use an object.
class Process {
 public:
  // Errors as for run_command. Command::timeout_ns is not used.
  static Result<Process> start(const Command& command);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  // Kills the group at once and reaps.
  ~Process();

  pid_t pid() const;
  // False once the program has ended; does not wait.
  bool running() const;
  // Waits at most that long for the end; true when it has ended.
  bool wait_for(std::uint64_t timeout_ns) const;
  // Sends a signal to the whole group; does nothing after the end.
  void send_signal(int signal_number);
  // Waits for the end, with the limits of run_command (0: no limit), and
  // reaps. May be called again; the answer stays the same.
  CommandResult wait(std::uint64_t timeout_ns = 0,
                     const ShouldStop& should_stop = {});
  // SIGTERM to the group, SIGKILL after 3 s, reap.
  CommandResult stop();

 private:
  struct State;
  explicit Process(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace cowbench
