// SPDX-License-Identifier: Apache-2.0
// One metric of one phase of one job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "result/outcome.hpp"

namespace cowbench {

// Of the samples inside one job; says nothing about other jobs.
struct Spread {
  double minimum = 0.0;
  double maximum = 0.0;
  double mad = 0.0;
};

struct Metric {
  std::string key;
  std::string label;
  std::string unit;
  std::string better;  // "higher", "lower", "neither"
  std::string definition;
  std::uint64_t method = 0;
  bool detail = false;  // not for summaries

  Outcome outcome = Outcome::kFailed;
  std::string reason;           // empty when ok
  std::optional<double> value;  // only when ok or withheld
  std::uint64_t n = 0;          // samples behind the value; 0 without a value
  std::uint64_t observations = 0;
  std::optional<Spread> spread;  // from two samples on
  std::vector<double> samples;
  std::vector<std::pair<std::string, std::string>> conditions;
};

// What the members and the workload wrote in the timed section behind a value.
struct WrittenBytes {
  std::uint64_t by_members = 0;
  std::uint64_t by_workload = 0;
};
// Nothing when the metric doesn't state both, as its conditions
// "member_write_bytes" and "written_bytes", or the workload wrote nothing.
std::optional<WrittenBytes> written_bytes(const Metric& metric);

}  // namespace cowbench
