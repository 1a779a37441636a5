// SPDX-License-Identifier: Apache-2.0
#include "plugin/examine.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "plugin/description.hpp"
#include "plugin/library.hpp"
#include "system/pidfd.hpp"

namespace cowbench {
namespace {

// Fits any pipe, so that the child need not wait for a reader.
constexpr std::size_t kLongestVerdict = 4096;

Error refusal(const std::string& message) {
  return Error(Category::kUnsupported, message);
}

Status load_and_describe(const std::filesystem::path& file) {
  const Result<Library> library = load_library(file);
  if (!library) return library.error();
  const Result<Description> description = describe(library->entry, file);
  if (!description) return description.error();
  if (description->plugins.empty()) {
    return refusal(join(description->faults, "; "));
  }
  return {};
}

// A plugin must meet neither the runner's handlers nor its terminal, and
// leave no core file.
void isolate() {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
                           SIGTERM, SIGINT, SIGCHLD}) {
    ::signal(signal, SIG_DFL);
  }
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int standard : {0, 1, 2}) ::dup2(null.get(), standard);
}

// Says "+" when all is well, "-" and the sentence otherwise.
[[noreturn]] void run_child(const std::filesystem::path& file, int verdict) {
  isolate();
  const Status status = load_and_describe(file);
  std::string text = status ? "+" : "-" + status.error().message();
  text.resize(std::min(text.size(), kLongestVerdict));
  const ssize_t written = ::write(verdict, text.data(), text.size());
  ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number)
                         : std::string("SIG") + name;
}

}  // namespace

Result<Examination> Examination::start(const std::filesystem::path& file) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    return refusal(std::string("cannot be examined: pipe: ") +
                   std::strerror(errno));
  }
  UniqueFd reading(ends[0]);
  const UniqueFd writing(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) {
    return refusal(std::string("cannot be examined: fork: ") +
                   std::strerror(errno));
  }
  if (child == 0) run_child(file, writing.get());
  ::setpgid(child, child);
  return Examination(child, std::move(reading));
}

Examination::Examination(Examination&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      answer_(std::move(other.answer_)),
      started_(other.started_) {}

Examination::~Examination() {
  if (child_ > 0) finish();
}

// Does not reap it, so that its number stays its own.
bool Examination::ends_by(Clock::time_point deadline) const {
  const UniqueFd handle = open_process(child_);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    pollfd wanted = {handle.get(), POLLIN, 0};
    const int ready =
        ::poll(&wanted, 1, std::max(0, static_cast<int>(left.count()) + 1));
    if (ready > 0) return true;
    if (ready == 0 && left.count() <= 0) return false;
  }
}

// Ends the whole group, for a descriptor may have started processes, and
// answers the child's wait status.
int Examination::finish() {
  ::kill(-child_, SIGKILL);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return status;
}

Status Examination::verdict(std::chrono::milliseconds patience) {
  const bool ended = ends_by(started_ + patience);
  const int status = finish();
  if (!ended) {
    return refusal("did not describe itself within " +
                   std::to_string(patience.count()) +
                   " ms and was ended with SIGKILL");
  }
  if (WIFSIGNALED(status)) {
    return refusal("crashed with " + signal_name(WTERMSIG(status)) +
                   " while it was loaded and described");
  }
  char text[kLongestVerdict];
  const ssize_t length = ::read(answer_.get(), text, sizeof text);
  if (length <= 0) {
    return refusal("ended the process with exit status " +
                   std::to_string(WEXITSTATUS(status)) +
                   " while it was loaded and described");
  }
  if (text[0] == '+') return {};
  return refusal(std::string(text + 1, static_cast<std::size_t>(length) - 1));
}

}  // namespace cowbench
