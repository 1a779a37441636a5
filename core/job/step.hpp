// SPDX-License-Identifier: Apache-2.0
// One step of a job in a process of its own, so that a crash in a plugin costs
// that step and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "device/member.hpp"
#include "job/stack_runtime.hpp"

namespace cowbench {

// What a step process is told in the first line of its channel.
struct StepOrder {
  enum class Kind {
    kPlan,      // check, announce commands, estimate; make nothing
    kAssemble,  // build the stack
    kPhase,     // attach and run one phase
    kTeardown,  // attach and take the stack down
  };
  Kind kind = Kind::kPlan;
  std::string phase;                 // kPhase
  std::uint64_t job_started_ns = 0;  // on now_ns()
  std::uint64_t deadline_ns = 0;     // on now_ns(); 0: none
  std::vector<Member> members;       // kPlan: with placeholders for paths
  StackRecord record;
  // kPhase: where a before-stack phase works.
  std::string before_stack_folder;

  std::string json() const;
  static Result<StepOrder> read(std::string_view line);
};

// How a step ended; its last event, "step-result".
struct StepResult {
  std::string outcome = "ok";
  std::string reason;
  // The filesystem under test is gone: the job cannot go on.
  bool stack_lost = false;
  // Phases: how long run() took, without the harness around it.
  std::uint64_t run_ns = 0;

  void write(JsonWriter& json) const;
  static StepResult read(const JsonValue& event);
};

// The outcome that an error means: interrupted, not-available,
// not-applicable or failed.
std::string outcome_of(const Error& error);

// The main function of a step process: `fd` is its end of the channel,
// `plan_path` the job's plan.json. Returns the exit code; what matters is the
// step-result event.
int run_step(int fd, const std::string& plan_path);

}  // namespace cowbench
