// SPDX-License-Identifier: Apache-2.0
// Scores of all published documents: the 208 rows of score-expected.json.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "score_check.hpp"

using namespace cowbench;
using cowbench_test::CheckedScores;

namespace {

int failures = 0;

void expect(const char* what, const CheckedScores& checked, int rows) {
  std::printf("%s: %d rows\n%s", what, checked.rows, checked.faults.c_str());
  if (checked.rows != rows || !checked.faults.empty()) ++failures;
}

// Only the newest `window` runs of those named stay raw.
std::vector<PublishedRun> some_runs(const PublishedHistory& history,
                                    const JsonValue& names,
                                    std::size_t window) {
  std::set<std::string> wanted;
  for (const auto& name : names.GetArray()) {
    wanted.insert(std::to_string(name.GetInt()));
  }
  std::vector<PublishedRun> runs;
  for (const PublishedRun& run : history.runs) {
    if (wanted.contains(run.name)) runs.push_back(run);
  }
  return compress_history(std::move(runs), window);
}

void check_points(const std::vector<PublishedRun>& points,
                  const JsonValue& expected) {
  bool good = points.size() == expected["points"].Size();
  for (rapidjson::SizeType i = 0; good && i < points.size(); ++i) {
    good = points[i].name == expected["points"][i].GetString() &&
           points[i].date == expected["point_dates"][i].GetString();
  }
  for (const auto& point : expected["sample_medians"].GetObject()) {
    for (const PublishedRun& run : points) {
      if (run.name != point.name.GetString()) continue;
      for (const auto& id : point.value.GetObject()) {
        for (const auto& metric : id.value.GetObject()) {
          const auto number =
              run.find(id.name.GetString())->number(metric.name.GetString());
          good = good && number.has_value() == metric.value.IsNumber() &&
                 (!number ||
                  cowbench_test::same(*number, metric.value.GetDouble()));
        }
      }
    }
  }
  std::printf("history compression: %s\n", good ? "as published" : "DIFFERS");
  if (!good) ++failures;
}

}  // namespace

int main() {
  const char* given = std::getenv("COWBENCH_REFERENCE");
  const std::string folder = given != nullptr ? given : COWBENCH_REFERENCE;
  if (!std::filesystem::exists(folder + "/score-expected.json")) {
    std::printf("SKIP: the published documents are not in %s\n",
                folder.c_str());
    return 77;
  }
  const auto expected =
      parse_json(cowbench_test::file_text(folder + "/score-expected.json"));
  constexpr std::size_t kWindow = 100;
  const PublishedHistory hosted =
      load_published(folder + "/results-sample/runs");
  const PublishedHistory hardware =
      load_published(folder + "/results-sample/real-hw/runs");
  expect("hosted",
         cowbench_test::check_scores(compress_history(hosted.runs, kWindow),
                                     (*expected)["hosted"]["cohorts"]),
         104);
  expect("hardware",
         cowbench_test::check_scores(compress_history(hardware.runs, kWindow),
                                     (*expected)["hardware"]["cohorts"]),
         78);
  const JsonValue& history = (*expected)["history_compression"];
  check_points(
      some_runs(hosted, history["input_runs"], history["window"].GetUint64()),
      history);
  const JsonValue& few = (*expected)["compressed_points_in_score"];
  int rows = 0;
  for (const auto& cohort : few["cohorts"].GetObject()) {
    rows += static_cast<int>(cohort.value["rows"].Size());
  }
  expect("days among the runs used",
         cowbench_test::check_scores(some_runs(hosted, history["input_runs"],
                                               few["window"].GetUint64()),
                                     few["cohorts"]),
         rows);
  return failures == 0 ? 0 : 1;
}
