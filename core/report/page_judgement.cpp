// SPDX-License-Identifier: Apache-2.0
#include "report/page_judgement.hpp"

#include <algorithm>

namespace cowbench {

namespace {

void add_extremes(const ScoreRow& row, std::size_t entry, const Page& page,
                  PageScore& scores) {
  constexpr double kFar = 5.0;
  for (std::size_t m = 0; m < page.metrics.size(); ++m) {
    const auto found = row.ratios.find(page.metrics[m].key);
    if (found == row.ratios.end()) continue;
    if (found->second >= kFar || found->second <= 1.0 / kFar) {
      scores.extremes.push_back({entry, m, found->second});
    }
  }
}

// How far the score of a single run strays from that of all of them: the
// model itself has no interval.
void add_single_runs(const std::vector<PublishedRun>& runs,
                     const ScoreModel& model,
                     const std::vector<std::string>& cohort,
                     PageScore& scores) {
  if (scores.runs.size() < 2) return;
  std::vector<std::vector<double>> alone(cohort.size());
  for (const PublishedRun& run : runs) {
    if (std::find(scores.runs.begin(), scores.runs.end(), run.name) ==
        scores.runs.end()) {
      continue;
    }
    const ScoreTable table = score({run}, model, cohort);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      if (table.rows[i].overall) alone[i].push_back(*table.rows[i].overall);
    }
  }
  for (std::size_t i = 0; i < cohort.size(); ++i) {
    scores.rows[i].alone = range(alone[i]);
  }
}

void add_score(const std::vector<PublishedRun>& runs, const ScoreModel& model,
               const std::vector<std::size_t>& entries, Page& page) {
  std::vector<std::string> cohort;
  for (const std::size_t entry : entries) {
    cohort.push_back(page.entries[entry].name);
  }
  const ScoreTable table = score(runs, model, cohort);
  PageScore scores;
  scores.model = model.name;
  scores.summary = model.summary;
  scores.source = page.entries[entries.front()].source;
  scores.runs = table.runs;
  for (const ScoreGroup& group : model.groups) {
    scores.groups.push_back(group.label);
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ScoreRow& row = table.rows[i];
    scores.rows.push_back({entries[i], row.overall, std::nullopt, row.groups});
    add_extremes(row, entries[i], page, scores);
  }
  add_single_runs(runs, model, cohort, scores);
  std::stable_sort(scores.rows.begin(), scores.rows.end(),
                   [](const PageScoreRow& a, const PageScoreRow& b) {
                     return a.overall.value_or(0) > b.overall.value_or(0);
                   });
  page.scores.push_back(std::move(scores));
}

// From every run that kept its own values: the last one alone may have been
// lucky.
PageVerdict verdict_of(const std::vector<PublishedRun>& runs,
                       const ScoreModel& model, std::size_t index,
                       const PageEntry& entry) {
  PageVerdict verdict;
  verdict.entry = index;
  for (const PublishedRun& run : runs) {
    const PublishedDocument* document = run.find(entry.name);
    const PublishedValue* value =
        document == nullptr ? nullptr : document->value(model.verdict_key);
    if (value == nullptr || value->kind != PublishedValue::Kind::kFlag) {
      continue;
    }
    ++verdict.runs;
    if (value->flag) ++verdict.intact;
  }
  const bool notices = model.checksumming_families.contains(entry.family) ||
                       model.checksumming_configurations.contains(entry.name);
  if (verdict.runs == 0) {
    verdict.fate = Fate::kUntested;
    verdict.reason = entry.stack_class == "single"
                         ? "one member: there is no second copy to repair from"
                         : "no run damaged this stack";
  } else if (verdict.intact == verdict.runs) {
    verdict.fate = notices ? Fate::kSurvived : Fate::kUnproven;
  } else {
    verdict.fate = verdict.intact == 0 ? Fate::kLost : Fate::kSometimes;
  }
  return verdict;
}

}  // namespace

void add_judgements(const std::vector<PublishedRun>& runs,
                    const ScoreModel& model,
                    const std::vector<std::size_t>& entries, Page& page) {
  if (entries.empty()) return;
  for (const std::size_t entry : entries) {
    page.verdicts.push_back(
        verdict_of(runs, model, entry, page.entries[entry]));
  }
  add_score(runs, model, entries, page);
}

}  // namespace cowbench
