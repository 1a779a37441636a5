// SPDX-License-Identifier: Apache-2.0
// What the HTML report shows, whatever it was made from: our own results or
// published ones. Metrics, stacks and sections are data; the page knows none of
// them by name.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/published_metrics.hpp"
#include "report/score.hpp"
#include "report/summary.hpp"
#include "result/document.hpp"
#include "result/published.hpp"
#include "result/statistics.hpp"

namespace cowbench {

// A place of a series without a value.
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

struct PageMetric {
  enum class Kind { kNumber, kFlag, kCurve };
  std::string key;
  Kind kind = Kind::kNumber;
  std::string label;
  std::string unit;
  std::string better;  // "higher", "lower", "neither"
  std::string group;
  std::string definition;
  std::string axis;                // kCurve
  std::vector<std::string> words;  // kFlag: for false, for true
  bool detail = false;
};

// A run, or a day of older ones.
struct PagePoint {
  std::string name;
  std::string date;  // ISO 8601, UTC
  std::string kernels;
  bool is_day = false;  // holds medians
};

// From `point` on a metric was measured in another way.
struct PageBreak {
  std::size_t metric = 0;
  std::size_t point = 0;
  std::string why;
  std::string only;  // entries whose name holds this text; empty: all
};

// Results of one machine, one after the other.
struct PageSource {
  std::string name;
  std::vector<ConditionLine> facts;
  std::vector<PagePoint> points;
  std::vector<PageBreak> breaks;
};

// What a member did in a phase, of the newest job.
struct MemberWork {
  std::string name;
  double read_bytes = 0.0;
  double write_bytes = 0.0;
  double flushes = 0.0;
};

struct PhaseWork {
  std::string phase;
  std::optional<double> write_amplification;
  std::vector<MemberWork> members;
};

// A stack on the machine of one source.
struct PageEntry {
  std::string name;
  std::string family;
  std::string stack_class;
  std::size_t source = 0;
  std::vector<ConditionLine> facts;  // layers, members, mount options
  std::vector<PhaseWork> work;
};

// The current figure of one metric of one entry.
struct PageCell {
  std::optional<Statistics> statistics;
  std::vector<double> values;  // empty: the last ones of the series
  std::string outcome;         // of what has no value; "ok" otherwise
  std::string reason;          // also of values that some runs lack
};

struct PageCurve {
  std::size_t metric = 0;
  std::size_t entry = 0;
  std::vector<float> latest;
  std::vector<float> middle;  // medians over `runs`, place by place
  std::size_t runs = 0;
};

enum class Fate {
  kSurvived,   // damage was done, could be noticed, and no byte changed
  kUnproven,   // no byte changed, but nothing would have noticed
  kSometimes,  // bytes changed in some runs
  kLost,       // bytes changed in every run
  kUntested,
};

struct PageVerdict {
  std::size_t entry = 0;
  Fate fate = Fate::kUntested;
  std::size_t intact = 0;
  std::size_t runs = 0;
  std::string reason;  // kUntested
};

struct PageScoreRow {
  std::size_t entry = 0;
  std::optional<double> overall;
  // Lowest and highest score that one run alone gives.
  std::optional<Range> alone;
  std::vector<GroupScore> groups;
};

// A metric that alone moves a stack's score far.
struct ScoreExtreme {
  std::size_t entry = 0;
  std::size_t metric = 0;
  double ratio = 1.0;  // to the middle of all
};

struct PageScore {
  std::string model;
  std::string summary;
  std::size_t source = 0;
  std::vector<std::string> groups;  // labels
  std::vector<std::string> runs;
  std::vector<PageScoreRow> rows;  // best first
  std::vector<ScoreExtreme> extremes;
};

struct Page {
  std::string title;
  std::vector<PageMetric> metrics;
  std::vector<PageSource> sources;
  std::vector<PageEntry> entries;
  // By metric, then by entry. Series have a value, or kGap, for each point of
  // the entry's source; an empty one has none at all.
  std::vector<std::vector<PageCell>> cells;
  std::vector<std::vector<std::vector<double>>> series;
  std::vector<PageCurve> curves;
  std::vector<PageVerdict> verdicts;
  std::vector<PageScore> scores;
  std::vector<std::string> warnings;
  std::size_t unreadable = 0;       // files; the warnings say which
  std::vector<std::string> thanks;  // whom data are owed to

  // The index of the metric with this key, added if it is new.
  std::size_t metric_index(const PageMetric& metric);
  // Adds an entry and its places in cells and series.
  std::size_t add_entry(PageEntry entry);
};

// Adds what a folder of published results holds.
void add_published(PublishedHistory history, const std::string& name,
                   const PublishedMetrics& metrics, const ScoreModel* model,
                   Page& page);

// Adds our own results, put together as summarise() does.
void add_results(const std::vector<ResultDocument>& documents, Page& page);

}  // namespace cowbench
