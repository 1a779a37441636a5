// SPDX-License-Identifier: Apache-2.0
#include "system/spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/text.hpp"
#include "system/system_error.hpp"

namespace cowbench {
namespace {

constexpr char kSystemFolders[] = "/usr/sbin:/sbin";

bool is_program(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

std::string search_path(const std::string& path) {
  std::string whole = path.empty() ? "/usr/bin:/bin" : path;
  const std::string framed = ":" + whole + ":";
  for (const auto& folder : split(kSystemFolders, ':')) {
    if (framed.find(":" + folder + ":") == std::string::npos) {
      whole += ":" + folder;
    }
  }
  return whole;
}

std::optional<std::string> find_in(const std::string& name,
                                   const std::string& path) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) {
    return is_program(name) ? std::optional(name) : std::nullopt;
  }
  for (const auto& folder : split(path, ':')) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return candidate;
  }
  return std::nullopt;
}

std::string value_of(const std::vector<std::string>& environment,
                     std::string_view name) {
  for (const auto& entry : environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' &&
        entry.starts_with(name)) {
      return entry.substr(name.size() + 1);
    }
  }
  return {};
}

bool is_locale(std::string_view entry) {
  return entry.starts_with("LC_") || entry.starts_with("LANG=") ||
         entry.starts_with("LANGUAGE=");
}

void set_variable(std::vector<std::string>& environment,
                  const std::string& name, const std::string& value) {
  std::erase_if(environment, [&](const std::string& entry) {
    return entry.starts_with(name + "=");
  });
  environment.push_back(name + "=" + value);
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (auto& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return system_error("make a pipe", "", errno);
  // Numbers 0 to 2 would be overwritten in the child before they are used.
  for (int& end : ends) {
    if (end > 2) continue;
    const int moved = fcntl(end, F_DUPFD_CLOEXEC, 3);
    const int error = errno;
    close(end);
    end = moved;
    if (moved < 0) return system_error("make a pipe", "", error);
  }
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Everything the child needs, made ready before the fork: between fork and
// exec of a program with threads only async-signal-safe calls are allowed.
struct ChildPlan {
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const char* cwd = nullptr;
  std::array<int, 3> streams{};
  const std::vector<int>* kept = nullptr;
  int report = -1;
  pid_t parent = 0;
  bool outlives_starter = false;
};

// Where a child's preparation failed, sent through the report pipe.
struct ChildFailure {
  enum Step : int { kFolder, kStreams, kDescriptors, kExec };
  int step = 0;
  int error = 0;
};

[[noreturn]] void fail_child(const ChildPlan& plan, ChildFailure::Step step) {
  const ChildFailure failure{step, errno};
  while (write(plan.report, &failure, sizeof failure) < 0 && errno == EINTR) {
  }
  _exit(127);
}

[[noreturn]] void run_child(const ChildPlan& plan) {
  if (!plan.outlives_starter) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before the line above.
    if (getppid() != plan.parent) _exit(127);
  }
  setpgid(0, 0);
  for (int number = 1; number < NSIG; ++number) {
    if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (plan.cwd != nullptr && chdir(plan.cwd) != 0) {
    fail_child(plan, ChildFailure::kFolder);
  }
  for (int stream = 0; stream < 3; ++stream) {
    if (dup2(plan.streams[static_cast<std::size_t>(stream)], stream) < 0) {
      fail_child(plan, ChildFailure::kStreams);
    }
  }
  // Closed by exec, so that the report pipe works until then.
  if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
    fail_child(plan, ChildFailure::kDescriptors);
  }
  for (const int fd : *plan.kept) {
    if (fcntl(fd, F_SETFD, 0) != 0) {
      fail_child(plan, ChildFailure::kDescriptors);
    }
  }
  execve(plan.program, plan.argv, plan.environment);
  fail_child(plan, ChildFailure::kExec);
}

// The child's side of one stream, and ours when it is a pipe.
struct Stream {
  UniqueFd child;
  UniqueFd ours;
};

Result<Stream> open_stream(const std::string& path, int flags) {
  Stream stream;
  stream.child = UniqueFd(open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!stream.child.valid()) return system_error("open", path, errno);
  if (stream.child.get() <= 2) {
    UniqueFd moved(fcntl(stream.child.get(), F_DUPFD_CLOEXEC, 3));
    if (!moved.valid()) return system_error("open", path, errno);
    stream.child = std::move(moved);
  }
  return stream;
}

Result<Stream> input_stream(const Command& command) {
  if (command.input.empty()) return open_stream("/dev/null", O_RDONLY);
  auto pipe = make_pipe();
  if (!pipe) return pipe.error();
  return Stream{std::move(pipe->read), std::move(pipe->write)};
}

Result<Stream> output_stream(const std::string& path) {
  // Appending, so that both streams may go to one file.
  if (!path.empty()) {
    return open_stream(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  }
  auto pipe = make_pipe();
  if (!pipe) return pipe.error();
  return Stream{std::move(pipe->write), std::move(pipe->read)};
}

// Forks with all signals blocked: a handler of ours must not run in the child.
pid_t fork_child(const ChildPlan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) run_child(plan);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// Waits until exec has happened, or says why it has not.
Status await_exec(int report, pid_t pid, const Command& command) {
  ChildFailure failure;
  ssize_t count = 0;
  do {
    count = read(report, &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  if (count == 0) return {};
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  const std::string action = "start " + shell_quote(command.argv);
  if (count != sizeof failure) {
    return Error(Category::kToolFailed, action + ": its set-up died");
  }
  switch (failure.step) {
    case ChildFailure::kFolder:
      return system_error(action + " in", command.cwd, failure.error);
    case ChildFailure::kStreams:
      return system_error(action, "(its standard streams)", failure.error);
    case ChildFailure::kDescriptors:
      return system_error(action, "(its descriptors)", failure.error);
    default:
      return Error(Category::kToolFailed,
                   action + ": " + errno_text(failure.error));
  }
}

}  // namespace

std::vector<std::string> program_environment(const Command& command) {
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!is_locale(*entry)) environment.emplace_back(*entry);
  }
  set_variable(environment, "LC_ALL", "C");
  for (const auto& [name, value] : command.environment) {
    set_variable(environment, name, value);
  }
  const auto path = search_path(value_of(environment, "PATH"));
  set_variable(environment, "PATH", path);
  return environment;
}

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  return find_in(name, search_path(path == nullptr ? "" : path));
}

Result<SpawnedProgram> spawn(const Command& command) {
  if (command.argv.empty()) {
    return Error(Category::kInternal, "start a program: no name given");
  }
  auto environment = program_environment(command);
  const auto program = find_in(command.argv[0], value_of(environment, "PATH"));
  if (!program) {
    return Error(Category::kNotAvailable,
                 command.argv[0] + ": command not found");
  }
  auto input = input_stream(command);
  if (!input) return input.error();
  auto output = output_stream(command.output_path);
  if (!output) return output.error();
  auto error = output_stream(command.error_path);
  if (!error) return error.error();
  auto report = make_pipe();
  if (!report) return report.error();

  auto arguments = command.argv;
  const auto argv = pointers_to(arguments);
  const auto envp = pointers_to(environment);
  ChildPlan plan;
  plan.program = program->c_str();
  plan.argv = argv.data();
  plan.environment = envp.data();
  plan.cwd = command.cwd.empty() ? nullptr : command.cwd.c_str();
  plan.streams = {input->child.get(), output->child.get(), error->child.get()};
  plan.kept = &command.kept_descriptors;
  plan.report = report->write.get();
  plan.parent = getpid();
  plan.outlives_starter = command.outlives_starter;
  const pid_t pid = fork_child(plan);
  if (pid < 0) return system_error("start", command.argv[0], errno);
  // In both processes, so that neither is ahead of the other.
  setpgid(pid, pid);
  report->write.reset();
  auto started = await_exec(report->read.get(), pid, command);
  if (!started) return started.error();
  return SpawnedProgram{pid, std::move(input->ours), std::move(output->ours),
                        std::move(error->ours)};
}

}  // namespace cowbench
