// SPDX-License-Identifier: Apache-2.0
// Where the wall time of jobs went, and how much of it was not measuring.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "result/document.hpp"

namespace cowbench {

struct OverheadRow {
  std::string job;  // "stack rN"
  std::string run_id;
  Outcome outcome = Outcome::kOk;
  std::uint64_t duration_ns = 0;
  TimeSplit time;
  // (prepare + assemble + teardown + other) / (duration - quiesce): waiting for
  // idle members is neither measuring nor overhead. Nothing when the job had
  // no time but that.
  std::optional<double> share;
};

struct Overhead {
  std::vector<OverheadRow> rows;  // in the order of the results
  OverheadRow total;              // sums; its share is that of the sums
};

Overhead measure_overhead(const std::vector<ResultDocument>& documents);

// `width` as for summary_text().
std::string overhead_text(const Overhead& overhead, std::size_t width);
std::string overhead_markdown(const Overhead& overhead);
// Times in ns, the share as a fraction of one.
std::string overhead_csv(const Overhead& overhead);
std::string overhead_json(const Overhead& overhead);

}  // namespace cowbench
