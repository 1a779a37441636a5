// SPDX-License-Identifier: Apache-2.0
#include "result/outcome.hpp"

#include <array>
#include <utility>

namespace cowbench {

namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 7> kTexts = {{
    {Outcome::kOk, "ok"},
    {Outcome::kNotApplicable, "not-applicable"},
    {Outcome::kNotAvailable, "not-available"},
    {Outcome::kNotRequested, "not-requested"},
    {Outcome::kWithheld, "withheld"},
    {Outcome::kFailed, "failed"},
    {Outcome::kInterrupted, "interrupted"},
}};

}  // namespace

std::string_view outcome_text(Outcome outcome) {
  for (const auto& [value, text] : kTexts) {
    if (value == outcome) return text;
  }
  return {};
}

std::optional<Outcome> parse_outcome(std::string_view text) {
  for (const auto& [value, known] : kTexts) {
    if (known == text) return value;
  }
  return std::nullopt;
}

std::pair<Outcome, std::string> judge(std::string_view outcome,
                                      std::string_view reason) {
  const std::optional<Outcome> known = parse_outcome(outcome);
  if (known == Outcome::kOk) return {Outcome::kOk, std::string()};
  std::string why(reason.empty() ? "no reason was given" : reason);
  if (known) return {*known, std::move(why)};
  return {Outcome::kFailed,
          "unknown outcome \"" + std::string(outcome) + "\": " + why};
}

}  // namespace cowbench
