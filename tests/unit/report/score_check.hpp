// SPDX-License-Identifier: Apache-2.0
// Holds computed scores against expected ones.
#pragma once

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/score.hpp"

namespace cowbench_test {

inline std::string file_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline cowbench::ScoreModel shipped_model() {
  return cowbench::parse_score_model(
             file_text(COWBENCH_SOURCE_DIR "/configs/score/published-v1.json"))
      .value();
}

struct CheckedScores {
  int rows = 0;
  std::string faults;  // a line each

  void expect(bool good, const std::string& text) {
    if (!good) faults += text + "\n";
  }
};

inline bool same(double found, double wanted) {
  return std::abs(found - wanted) <= 1e-9 * std::abs(wanted);
}

inline void check_row(const cowbench::JsonValue& wanted,
                      const cowbench::ScoreTable& table,
                      CheckedScores& checked) {
  const std::string id = wanted["id"].GetString();
  ++checked.rows;
  for (const cowbench::ScoreRow& row : table.rows) {
    if (row.configuration != id) continue;
    checked.expect(
        row.overall && same(*row.overall, wanted["overall"].GetDouble()),
        id + ": overall");
    checked.expect(row.verdict == wanted["integrity"].GetString(),
                   id + ": verdict " + row.verdict);
    for (const cowbench::GroupScore& group : row.groups) {
      const auto& expected = wanted["groups"][group.key.c_str()];
      checked.expect(
          group.value && same(*group.value, expected["ratio"].GetDouble()),
          id + ": " + group.key);
      checked.expect(group.present == expected["coverage"].GetUint64() &&
                         group.total == expected["total"].GetUint64(),
                     id + ": coverage of " + group.key);
    }
    return;
  }
  checked.expect(false, id + " has no score");
}

// Every row of every cohort that `cohorts` expects.
inline CheckedScores check_scores(
    const std::vector<cowbench::PublishedRun>& points,
    const cowbench::JsonValue& cohorts) {
  CheckedScores checked;
  const cowbench::ScoreModel model = shipped_model();
  for (const auto& one : cohorts.GetObject()) {
    const std::string name = one.name.GetString();
    const auto cohort = cowbench::cohort_of(points, model, name);
    checked.expect(cohort.has_value(), "no cohort " + name);
    if (!cohort) continue;
    const auto table = cowbench::score(points, model, *cohort);
    std::vector<std::string> runs;
    for (const auto& run : one.value["runs_in_order"].GetArray()) {
      runs.emplace_back(run.GetString());
    }
    checked.expect(table.runs == runs, name + ": other runs were used");
    checked.expect(table.rows.size() == one.value["rows"].Size(),
                   name + ": another number of rows");
    for (const auto& row : one.value["rows"].GetArray()) {
      check_row(row, table, checked);
    }
  }
  return checked;
}

}  // namespace cowbench_test
