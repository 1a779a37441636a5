// SPDX-License-Identifier: Apache-2.0
// Scores of published histories: one number per configuration, condensed from
// many metrics relative to the others that are looked at. Model v1 is that of
// the published dashboard, with its weaknesses, so that its numbers can be
// checked; which metrics it counts is data (configs/score/).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "result/published.hpp"

namespace cowbench {

struct ScoreGroup {
  std::string key;
  std::string label;
  std::vector<std::vector<std::string>> subgroups;  // of metric keys
};

// Which configurations a cohort has, by the part of the id before the slash.
struct ScoreCohort {
  std::set<std::string> families;  // empty: all but those below
  std::set<std::string> families_except;
};

struct ScoreModel {
  std::string name;
  std::string summary;
  std::size_t window = 8;     // of complete runs
  std::size_t latest_of = 5;  // points in which the verdict is looked for
  std::string verdict_key;
  // Those that can detect wrong data.
  std::set<std::string> checksumming_families;
  std::set<std::string> checksumming_configurations;
  std::map<std::string, ScoreCohort> cohorts;
  std::vector<ScoreGroup> groups;
  std::set<std::string> lower_is_better;
};

// Reads a model's file. One message with what is wrong with it, otherwise.
Result<ScoreModel> parse_score_model(std::string_view json);

struct GroupScore {
  std::string key;
  std::optional<double> value;  // 1.0: as the cohort's median
  std::size_t present = 0;      // metrics with a value
  std::size_t total = 0;
};

struct ScoreRow {
  std::string configuration;
  std::optional<double> overall;
  std::vector<GroupScore> groups;        // in the order of the model
  std::map<std::string, double> ratios;  // of each metric to the cohort
  std::string verdict;                   // "PASS", "LUCKY", "FAIL", "N/A"
};

struct ScoreTable {
  std::vector<std::string> runs;  // used, in order of time
  std::vector<ScoreRow> rows;     // by configuration
};

// The configurations of a cohort among all that are in `points`: "all",
// "single" (ids that end in "/single"), "multi" (the others), "family:<name>",
// or one of the model's. Nothing for an unknown name.
std::optional<std::vector<std::string>> cohort_of(
    const std::vector<PublishedRun>& points, const ScoreModel& model,
    const std::string& name);

// Section 6 of the model's description: the last runs that hold the whole
// cohort; medians of the positive values; ratios to the cohort's median;
// geometric means of metrics, subgroups and groups.
ScoreTable score(const std::vector<PublishedRun>& points,
                 const ScoreModel& model,
                 const std::vector<std::string>& cohort);

}  // namespace cowbench
