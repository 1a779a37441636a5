// SPDX-License-Identifier: Apache-2.0
// Results of several jobs side by side: a row for each metric, a column for
// each stack.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/table.hpp"
#include "result/document.hpp"
#include "result/statistics.hpp"

namespace cowbench {

struct SummaryOptions {
  // The order of the columns. Stacks that are not listed follow in the order in
  // which their results come; with an empty list that is the whole order.
  std::vector<std::string> stacks;
  bool all = false;  // with details and with what was not requested
};

// Jobs that have no value in a cell, for one reason.
struct Shortfall {
  Outcome outcome = Outcome::kFailed;
  std::string reason;
  std::size_t jobs = 0;
};

// Counts a job whose metric has no value.
void add_shortfall(std::vector<Shortfall>& shortfalls, const Metric& metric);

struct SummaryCell {
  std::vector<double> values;            // one for each job that is ok
  std::optional<Statistics> statistics;  // of `values`; n counts jobs
  std::vector<Shortfall> shortfalls;
  std::vector<std::size_t> notes;  // footnotes, from 1
};

struct SummaryRow {
  std::string phase;
  std::string key;
  std::string label;
  std::string unit;
  std::string better;
  std::string definition;
  std::vector<SummaryCell> cells;  // as many as columns
};

struct SummaryColumn {
  std::string heading;  // the stack, numbered where it has several columns
  std::string stack;
  std::string profile;
  std::size_t jobs = 0;
  std::vector<std::string> run_ids;
};

struct ConditionLine {
  std::string name;
  std::string value;
};

struct Summary {
  std::vector<ConditionLine> conditions;
  std::vector<SummaryColumn> columns;
  std::vector<SummaryRow> rows;
  std::vector<std::string> notes;     // footnote i is notes[i - 1]
  std::vector<std::string> warnings;  // what a reader must know first
};

// Puts together what may be put together: results of one stack share a column
// unless their facts (conditions.hpp) differ; then the stack gets several
// columns, and a warning names the difference. Columns whose machine, settings
// or method differ stand side by side with a warning. n counts jobs.
Summary summarise(const std::vector<ResultDocument>& documents,
                  const SummaryOptions& options);

// `width`: columns of the terminal, 0 for no limit.
std::string summary_text(const Summary& summary, std::size_t width);
std::string summary_markdown(const Summary& summary);
// One record for each metric and column, figures unrounded.
std::string summary_csv(const Summary& summary);
std::string summary_json(const Summary& summary);

// "812 (800-830, n=3)", "4.25 (n=1)", "withheld [2]", or "-" when no job of the
// column knows the metric.
std::string cell_text(const SummaryCell& cell);

}  // namespace cowbench
