// SPDX-License-Identifier: Apache-2.0
// Progress for people: one line that changes on a terminal, plain lines
// elsewhere.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace cowbench {

class Progress {
 public:
  // planned_ns: the plan's estimate of the whole run.
  Progress(bool terminal, std::uint64_t planned_ns);

  void start_job(const std::string& stack, std::uint32_t number,
                 std::uint32_t total);
  // job_planned_ns: the plan's estimate of this job, now done.
  void end_job(const std::string& outcome, const std::string& reason,
               std::uint64_t job_planned_ns);
  void take(const JsonValue& event);

 private:
  void line(const std::string& text);
  void status(const std::string& text);
  std::string eta() const;

  const bool terminal_;
  const std::uint64_t planned_ns_;
  const std::uint64_t started_ns_;
  std::uint64_t done_ns_ = 0;  // planned time of the finished jobs
  std::string job_;
  bool status_shown_ = false;
};

}  // namespace cowbench
