// SPDX-License-Identifier: Apache-2.0
// A first look at a library from a process that may crash.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>

#include "base/result.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {

// A child process that loads and describes one library. Several may run at a
// time. Not running once verdict() has answered; the destructor ends it.
class Examination {
 public:
  static Result<Examination> start(const std::filesystem::path& file);
  Examination(Examination&& other) noexcept;
  Examination& operator=(Examination&&) = delete;
  ~Examination();

  // Waits. OK when the library could be described and at least one plugin of
  // it is usable; otherwise the one sentence that says why not, the signal
  // included that ended the child. A child that is not done `patience` after
  // its start is killed. Call it once.
  Status verdict(std::chrono::milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;

  Examination(pid_t child, UniqueFd answer)
      : child_(child), answer_(std::move(answer)), started_(Clock::now()) {}
  bool ends_by(Clock::time_point deadline) const;
  int finish();

  pid_t child_;
  UniqueFd answer_;
  Clock::time_point started_;
};

}  // namespace cowbench
