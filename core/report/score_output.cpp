// SPDX-License-Identifier: Apache-2.0
#include "report/score_output.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/figure.hpp"
#include "report/table.hpp"

namespace cowbench {

namespace {

constexpr const char* kLegend =
    "1: as the median of those compared; higher is better, also where a metric "
    "itself is better when lower. (p/t): metrics with a value of all that the "
    "group has. The model has no interval. Data after damage: PASS intact, and "
    "the layout can tell; LUCKY intact, but it could not have told; FAIL wrong "
    "data; N/A nothing to repair from, or not tested.";

// Best first.
std::vector<const ScoreRow*> ranked(const ScoreTable& table) {
  std::vector<const ScoreRow*> rows;
  for (const ScoreRow& row : table.rows) rows.push_back(&row);
  std::stable_sort(
      rows.begin(), rows.end(), [](const ScoreRow* a, const ScoreRow* b) {
        return a->overall.value_or(-1.0) > b->overall.value_or(-1.0);
      });
  return rows;
}

std::string group_text(const GroupScore& group) {
  return (group.value ? rounded_figure(*group.value) : "-") + " (" +
         std::to_string(group.present) + "/" + std::to_string(group.total) +
         ")";
}

Table score_table(const ScoreReport& report) {
  Table table;
  table.columns = {{"configuration"}, {"overall", Align::kRight}};
  table.fixed = 1;
  for (const ScoreGroup& group : report.model->groups) {
    table.columns.push_back({group.label, Align::kRight});
  }
  table.columns.push_back({"data after damage"});
  for (const ScoreRow* row : ranked(report.table)) {
    TableRow line;
    line.cells = {row->configuration,
                  row->overall ? rounded_figure(*row->overall) : "none"};
    for (const GroupScore& group : row->groups) {
      line.cells.push_back(group_text(group));
    }
    line.cells.push_back(row->verdict);
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::string basis(const ScoreReport& report) {
  const ScoreTable& table = report.table;
  if (table.runs.empty()) {
    return "no run holds every configuration of cohort " + report.cohort;
  }
  return "model " + report.model->name + ", cohort " + report.cohort + ", " +
         std::to_string(table.runs.size()) + " runs: " + join(table.runs, ", ");
}

}  // namespace

std::string score_text(const ScoreReport& report, std::size_t width) {
  std::string out = printable(basis(report)) + "\n";
  for (const std::string& warning : report.warnings) {
    out += "warning: " + printable(warning) + "\n";
  }
  return out + "\n" + table_text(score_table(report), width) + "\n" + kLegend +
         "\n";
}

std::string score_markdown(const ScoreReport& report) {
  std::string out = table_markdown(score_table(report)) + "\n" +
                    markdown_escaped(basis(report)) + "\n\n" +
                    markdown_escaped(kLegend) + "\n";
  for (const std::string& warning : report.warnings) {
    out += "\n- **warning:** " + markdown_escaped(warning) + "\n";
  }
  return out;
}

std::string score_csv(const ScoreReport& report) {
  Table table;
  for (const char* heading :
       {"configuration", "what", "name", "value", "present", "total"}) {
    table.columns.push_back({heading});
  }
  const auto figure = [](const std::optional<double>& value) {
    return value ? exact_figure(*value) : std::string();
  };
  for (const ScoreRow* row : ranked(report.table)) {
    table.rows.push_back(
        {{row->configuration, "overall", "", figure(row->overall)}, false});
    for (const GroupScore& group : row->groups) {
      table.rows.push_back(
          {{row->configuration, "group", group.key, figure(group.value),
            std::to_string(group.present), std::to_string(group.total)},
           false});
    }
    for (const auto& [metric, ratio] : row->ratios) {
      table.rows.push_back(
          {{row->configuration, "ratio", metric, exact_figure(ratio)}, false});
    }
  }
  return table_csv(table);
}

std::string score_json(const ScoreReport& report) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "cowbench-score")
      .field("schema_version", 1)
      .field("model", report.model->name)
      .field("cohort", report.cohort);
  json.key("runs").begin_array();
  for (const std::string& run : report.table.runs) json.value(run);
  json.end_array().key("warnings").begin_array();
  for (const std::string& warning : report.warnings) json.value(warning);
  json.end_array().key("rows").begin_array();
  for (const ScoreRow* row : ranked(report.table)) {
    json.begin_object().field("configuration", row->configuration);
    json.field("overall", row->overall);
    json.field("verdict", row->verdict).key("groups").begin_object();
    for (const GroupScore& group : row->groups) {
      json.key(group.key).begin_object();
      json.field("ratio", group.value);
      json.field("present", group.present)
          .field("total", group.total)
          .end_object();
    }
    json.end_object().key("ratios").begin_object();
    for (const auto& [metric, ratio] : row->ratios) json.field(metric, ratio);
    json.end_object().end_object();
  }
  return json.end_array().end_object().text();
}

}  // namespace cowbench
