// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <cstdio>

#include "base/units.hpp"
#include "system/clock.hpp"

namespace cowbench {

Progress::Progress(bool terminal, std::uint64_t planned_ns)
    : terminal_(terminal), planned_ns_(planned_ns), started_ns_(now_ns()) {}

void Progress::start_job(const std::string& stack, std::uint32_t number,
                         std::uint32_t total) {
  job_ =
      "[" + std::to_string(number) + "/" + std::to_string(total) + "] " + stack;
  line(job_ + ": started");
}

void Progress::end_job(const std::string& outcome, const std::string& reason,
                       std::uint64_t job_planned_ns) {
  done_ns_ += job_planned_ns;
  line(job_ + ": " + outcome + (reason.empty() ? "" : " (" + reason + ")"));
}

void Progress::take(const JsonValue& event) {
  const std::string type = string_at(event, "type");
  if (type == "phase-start") {
    status(job_ + ": " + string_at(event, "phase") + eta());
  } else if (type == "progress") {
    status(job_ + ": " + string_at(event, "phase") + ": " +
           string_at(event, "text") + eta());
  } else if (type == "step-start") {
    status(job_ + ": " + string_at(event, "step") + eta());
  } else if (type == "phase-end" || type == "step-end") {
    const std::string outcome = string_at(event, "outcome");
    const std::string name = type == "phase-end" ? string_at(event, "phase")
                                                 : string_at(event, "step");
    const std::string reason = string_at(event, "reason");
    line(job_ + ": " + name + ": " + outcome + " in " +
         format_duration(uint_at(event, "duration_ns")) +
         (reason.empty() ? "" : " (" + reason + ")"));
  } else if (type == "log") {
    const std::string level = string_at(event, "level");
    if (level == "warning" || level == "error") {
      line(job_ + ": " + level + ": " + string_at(event, "text"));
    }
  } else if (type == "mark") {
    line(job_ + ": " + string_at(event, "name") + ": " +
         string_at(event, "reason"));
  }
}

void Progress::line(const std::string& text) {
  if (status_shown_) std::fputs("\r\x1b[K", stderr);
  status_shown_ = false;
  std::fprintf(stderr, "%s\n", text.c_str());
}

void Progress::status(const std::string& text) {
  if (!terminal_) return;
  // Cut, because a wrapped line cannot be taken back.
  std::fprintf(stderr, "\r\x1b[K%.100s", text.c_str());
  std::fflush(stderr);
  status_shown_ = true;
}

// From the plan until a job has ended, then from how the finished jobs
// compared with theirs.
std::string Progress::eta() const {
  const std::uint64_t elapsed = now_ns() - started_ns_;
  double left = static_cast<double>(planned_ns_) - static_cast<double>(elapsed);
  if (done_ns_ > 0 && planned_ns_ > done_ns_) {
    left = static_cast<double>(elapsed) / static_cast<double>(done_ns_) *
               static_cast<double>(planned_ns_) -
           static_cast<double>(elapsed);
  }
  if (left <= 0) return "";
  return " (about " + format_duration(static_cast<std::uint64_t>(left)) +
         " left)";
}

}  // namespace cowbench
