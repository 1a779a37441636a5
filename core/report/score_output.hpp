// SPDX-License-Identifier: Apache-2.0
// The forms in which scores are given out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/score.hpp"

namespace cowbench {

// Scores of one cohort by one model, with what they stand on.
struct ScoreReport {
  const ScoreModel* model = nullptr;  // outlives this
  std::string cohort;
  ScoreTable table;
  std::vector<std::string> warnings;
};

// Best first; what has no score last, with the reason. `width` as for
// summary_text().
std::string score_text(const ScoreReport& report, std::size_t width);
std::string score_markdown(const ScoreReport& report);
// Figures unrounded; every ratio of every metric.
std::string score_csv(const ScoreReport& report);
std::string score_json(const ScoreReport& report);

}  // namespace cowbench
