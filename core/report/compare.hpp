// SPDX-License-Identifier: Apache-2.0
// Two sets of results held against each other, with what can be concluded and
// what cannot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/summary.hpp"
#include "result/comparison.hpp"
#include "result/document.hpp"

namespace cowbench {

// What a comparison of one metric ends in.
enum class Finding : std::uint8_t {
  kBetter,         // proven: b is better than a
  kWorse,          // proven: b is worse than a
  kOther,          // proven, for a metric without a better direction
  kNone,           // no difference was found
  kTooFew,         // so few jobs that no difference could be proven
  kNoValue,        // one side or both have no value
  kNotComparable,  // unit, method, settings or kind of machine differ
};
std::string_view finding_text(Finding finding);  // "better", "too-few", ...

// The jobs of one side, as far as one metric goes.
struct ComparedSide {
  std::vector<double> values;  // one for each job that is ok
  std::vector<Shortfall> shortfalls;
};

struct ComparedMetric {
  std::string phase;
  std::string key;
  std::string label;
  std::string unit;
  std::string better;
  ComparedSide a;
  ComparedSide b;
  std::optional<double> median_a;
  std::optional<double> median_b;
  std::optional<RatioInterval> ratio;  // b / a; its interval at 95 %
  std::optional<double> p_value;       // of the rank test, two-sided
  std::optional<double> p_corrected;   // after Holm, over the whole comparison
  Finding finding = Finding::kNoValue;
  // How much worse b is by its median, as a share of a: 0.1 for 10 % slower;
  // negative when it is better. Absent without a ratio or a direction.
  std::optional<double> worse_by;
  std::string verdict;  // in words, about b
};

// Jobs of one stack on either side; two different stacks only where each side
// has no other.
struct ComparedPair {
  std::string stack_a;
  std::string stack_b;
  std::size_t jobs_a = 0;
  std::size_t jobs_b = 0;
  std::vector<ComparedMetric> metrics;
};

struct Comparison {
  std::string name_a;
  std::string name_b;
  std::vector<std::string>
      differences;  // of the conditions: "kernel: 6.1 | 6.12"
  std::vector<std::string> warnings;
  std::vector<ComparedPair> pairs;
  std::vector<std::string> alone;  // stacks that only one side has
};

struct CompareOptions {
  bool all = false;     // with details
  double alpha = 0.05;  // what a corrected p-value must not exceed
};

// n counts jobs: samples within a job say nothing about the next one. A
// difference is proven when the rank test's p-value, corrected for all metrics
// that were tested, is at most alpha. Nothing is normalised by calibration: it
// varies more than what is compared.
Comparison compare(const std::vector<ResultDocument>& a,
                   const std::vector<ResultDocument>& b,
                   const std::string& name_a, const std::string& name_b,
                   const CompareOptions& options);

// A metric that is proven worse, of which stacks.
struct Regression {
  const ComparedPair* pair = nullptr;  // both live as long as the comparison
  const ComparedMetric* metric = nullptr;
};

// Metrics that are proven worse by at least `share` of a's median.
std::vector<Regression> regressions(const Comparison& comparison, double share);

// `width` as for summary_text().
std::string comparison_text(const Comparison& comparison, std::size_t width);
std::string comparison_markdown(const Comparison& comparison);
// Figures unrounded, every job's value.
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace cowbench
