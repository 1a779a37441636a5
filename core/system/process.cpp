// SPDX-License-Identifier: Apache-2.0
#include "system/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>

#include "base/text.hpp"
#include "system/clock.hpp"
#include "system/pidfd.hpp"
#include "system/spawn.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"
#include "system/wait_readable.hpp"

namespace cowbench {
namespace {

constexpr std::size_t kMaxCaptureBytes = 16U << 20;
constexpr std::uint64_t kTermGraceNs = 3 * kNsPerSecond;
// How long a program may take to die of SIGKILL before it is left behind.
constexpr std::uint64_t kKillGraceNs = 10 * kNsPerSecond;
constexpr std::uint64_t kStopPollNs = 20 * kNsPerMs;
// A child that the program left behind may keep its pipes open for ever.
constexpr std::uint64_t kDrainNs = 200 * kNsPerMs;

struct Capture {
  UniqueFd fd;
  std::string text;
  std::uint64_t dropped_bytes = 0;
};

// True while more may come.
bool read_some(Capture& capture) {
  char piece[65536];
  const ssize_t count = read(capture.fd.get(), piece, sizeof piece);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  const auto bytes = static_cast<std::size_t>(count);
  const auto kept = std::min(bytes, kMaxCaptureBytes - capture.text.size());
  capture.text.append(piece, kept);
  capture.dropped_bytes += bytes - kept;
  return true;
}

// True while there is more to write and somebody who reads it.
bool write_some(int fd, std::string_view& input) {
  const ssize_t count = write(fd, input.data(), input.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  input.remove_prefix(static_cast<std::size_t>(count));
  return !input.empty();
}

void set_nonblocking(const UniqueFd& fd) {
  if (fd.valid()) fcntl(fd.get(), F_SETFL, O_NONBLOCK);
}

}  // namespace

// Shared with the draining thread, which outlives the object when a program
// cannot be killed.
struct Process::State {
  pid_t pid = -1;
  UniqueFd exit_fd;  // readable once the program has ended
  UniqueFd input_fd;
  std::string input;
  Capture out;
  Capture err;
  std::uint64_t started_ns = 0;
  std::atomic<std::uint64_t> ended_ns{0};
  std::thread drainer;
  bool finished = false;
  CommandResult result;

  void drain();
  bool ended(std::uint64_t wait_ns) const {
    return finished || wait_readable(exit_fd.get(), wait_ns) > 0;
  }
  void signal_group(int number) const;
  bool end_group();
  void reap();
  void collect();
};

void Process::State::drain() {
  // Signals are for the threads that ask about them, and writing to a program
  // that has closed its input must not end us.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::string_view rest(input);
  std::uint64_t deadline = 0;  // 0: the program still runs
  for (;;) {
    // poll ignores negative descriptors.
    pollfd items[] = {{exit_fd.get(), POLLIN, 0},
                      {out.fd.get(), POLLIN, 0},
                      {err.fd.get(), POLLIN, 0},
                      {input_fd.get(), POLLOUT, 0}};
    if (deadline != 0) items[0].fd = -1;
    const bool streams_open = out.fd.valid() || err.fd.valid();
    if (deadline != 0 && (!streams_open || now_ns() >= deadline)) return;
    if (poll(items, 4, deadline == 0 ? -1 : 20) < 0) continue;
    if (items[1].revents != 0 && !read_some(out)) out.fd.reset();
    if (items[2].revents != 0 && !read_some(err)) err.fd.reset();
    if (items[3].revents != 0 && !write_some(input_fd.get(), rest)) {
      input_fd.reset();
    }
    if (items[0].revents != 0) {
      ended_ns = now_ns();
      deadline = ended_ns + kDrainNs;
      input_fd.reset();
    }
  }
}

void Process::State::signal_group(int number) const {
  // Not yet reaped, so the group's number cannot belong to anybody else.
  if (!finished) kill(-pid, number);
}

// SIGTERM, then SIGKILL; false when it survives both.
bool Process::State::end_group() {
  signal_group(SIGTERM);
  // A stopped program would not see the signal.
  signal_group(SIGCONT);
  const bool obeyed = ended(kTermGraceNs);
  // Also when the leader obeyed: others of the group may not have.
  signal_group(SIGKILL);
  return obeyed || ended(kKillGraceNs);
}

void Process::State::reap() {
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0 &&
         errno == EINTR) {
  }
  finished = true;
  if (info.si_code == CLD_EXITED) {
    result.exit_status = info.si_status;
  } else {
    result.signal = info.si_status;
  }
}

// Called when the program has ended; fills in the result.
void Process::State::collect() {
  drainer.join();
  reap();
  result.out = std::move(out.text);
  result.err = std::move(err.text);
  result.out_dropped_bytes = out.dropped_bytes;
  result.err_dropped_bytes = err.dropped_bytes;
  result.started_ns = started_ns;
  result.duration_ns = ended_ns - started_ns;
}

Process::Process(std::shared_ptr<State> state) : state_(std::move(state)) {}

Process::Process(Process&&) noexcept = default;

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    Process old(std::move(*this));
    state_ = std::move(other.state_);
  }
  return *this;
}

Process::~Process() {
  if (!state_ || state_->finished) return;
  state_->signal_group(SIGKILL);
  if (state_->ended(kKillGraceNs)) {
    state_->collect();
  } else {
    state_->drainer.detach();
  }
}

Result<Process> Process::start(const Command& command) {
  auto state = std::make_shared<State>();
  state->started_ns = now_ns();
  auto program = spawn(command);
  if (!program) return program.error();
  state->pid = program->pid;
  state->exit_fd = open_process(program->pid);
  if (!state->exit_fd.valid()) {
    const int error = errno;
    state->signal_group(SIGKILL);
    state->reap();
    return system_error("watch", command.argv[0], error);
  }
  state->input = command.input;
  state->input_fd = std::move(program->input);
  state->out.fd = std::move(program->output);
  state->err.fd = std::move(program->error);
  set_nonblocking(state->input_fd);
  set_nonblocking(state->out.fd);
  set_nonblocking(state->err.fd);
  state->drainer = std::thread([state] { state->drain(); });
  return Process(std::move(state));
}

pid_t Process::pid() const { return state_->pid; }

bool Process::running() const { return !state_->ended(0); }

bool Process::wait_for(std::uint64_t timeout_ns) const {
  return state_->ended(timeout_ns);
}

void Process::send_signal(int signal_number) {
  state_->signal_group(signal_number);
}

CommandResult Process::wait(std::uint64_t timeout_ns,
                            const ShouldStop& should_stop) {
  State& state = *state_;
  if (state.finished) return state.result;
  const std::uint64_t begin = now_ns();
  while (!state.ended(kStopPollNs)) {
    state.result.stopped = should_stop && should_stop();
    state.result.timed_out = !state.result.stopped && timeout_ns != 0 &&
                             now_ns() - begin >= timeout_ns;
    if (!state.result.stopped && !state.result.timed_out) continue;
    if (!state.end_group()) {
      state.drainer.detach();
      state.finished = true;
      state.result.abandoned = true;
      state.result.started_ns = state.started_ns;
      state.result.duration_ns = now_ns() - state.started_ns;
      return state.result;
    }
    break;
  }
  state.collect();
  return state.result;
}

CommandResult Process::stop() {
  return wait(0, [] { return true; });
}

std::string CommandResult::ending() const {
  if (abandoned) return "cannot be killed: it is stuck in the kernel";
  if (timed_out) return "stopped at its time limit";
  if (stopped) return "stopped on request";
  if (signal != 0) {
    const char* name = sigabbrev_np(signal);
    return "killed by " + (name == nullptr ? "signal " + std::to_string(signal)
                                           : "SIG" + std::string(name));
  }
  return "exit status " + std::to_string(exit_status);
}

Result<CommandResult> run_command(const Command& command,
                                  const ShouldStop& should_stop) {
  auto process = Process::start(command);
  if (!process) return process.error();
  return process->wait(command.timeout_ns, should_stop);
}

namespace {

// The beginning of what a program said tells the cause, the end the effect.
std::string shortened(std::string_view text) {
  constexpr std::size_t kEndBytes = 400;
  if (text.size() <= 2 * kEndBytes) return std::string(text);
  return std::string(text.substr(0, kEndBytes)) + " [...] " +
         std::string(text.substr(text.size() - kEndBytes));
}

}  // namespace

Error command_error(const Command& command, const CommandResult& result) {
  Category category = Category::kToolFailed;
  if (result.timed_out) category = Category::kTimeout;
  if (result.stopped) category = Category::kCancelled;
  std::string message = shell_quote(command.argv) + ": " + result.ending();
  const auto said = trim(result.err.empty() ? result.out : result.err);
  if (!said.empty()) message += ": " + shortened(said);
  return Error(category, message);
}

Result<CommandResult> run_checked(const Command& command,
                                  const ShouldStop& should_stop) {
  auto result = run_command(command, should_stop);
  if (result && !result->succeeded()) return command_error(command, *result);
  return result;
}

}  // namespace cowbench
