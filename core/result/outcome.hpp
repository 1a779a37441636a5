// SPDX-License-Identifier: Apache-2.0
// What became of a job, a phase or a metric.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cowbench {

enum class Outcome {
  kOk,
  kNotApplicable,  // the stack has no such ability
  kNotAvailable,   // something is missing on this machine
  kNotRequested,
  kWithheld,  // measured, not trustworthy
  kFailed,
  kInterrupted,
};

// "ok", "not-applicable", ...: as in events and results.
std::string_view outcome_text(Outcome outcome);
// Nothing when `text` is no outcome that this version knows.
std::optional<Outcome> parse_outcome(std::string_view text);

// Reads an outcome and its reason, which only `ok` has none of. An outcome of a
// newer version counts as a failure that names it; a reason that is missing is
// replaced by words that say so.
std::pair<Outcome, std::string> judge(std::string_view outcome,
                                      std::string_view reason);

}  // namespace cowbench
