// SPDX-License-Identifier: Apache-2.0
// The forms in which a summary is given out.
#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/figure.hpp"
#include "report/summary.hpp"

namespace cowbench {

namespace {

std::string range_text(const Statistics& statistics) {
  const std::string low = rounded_figure(statistics.minimum);
  const std::string high = rounded_figure(statistics.maximum);
  return low + (statistics.minimum < 0.0 ? " to " : "-") + high;
}

std::string notes_text(const std::vector<std::size_t>& notes) {
  std::string text;
  for (const std::size_t number : notes) {
    text += " [" + std::to_string(number) + "]";
  }
  return text;
}

Table summary_table(const Summary& summary) {
  Table table;
  table.columns = {{"metric"}, {"unit"}, {"better"}};
  table.fixed = table.columns.size();
  for (const SummaryColumn& column : summary.columns) {
    table.columns.push_back({column.heading, Align::kRight});
  }
  std::string phase;
  for (const SummaryRow& row : summary.rows) {
    if (row.phase != phase) {
      table.rows.push_back({{row.phase}, true});
      phase = row.phase;
    }
    TableRow line;
    line.cells = {row.label, row.unit,
                  row.better == "neither" ? "" : row.better};
    for (const SummaryCell& cell : row.cells) {
      line.cells.push_back(cell_text(cell));
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

constexpr const char* kLegend =
    "Cells: median over fresh jobs (smallest-largest, n = jobs); n=1: one job, "
    "no spread known.";
constexpr const char* kNothing = "There is no result to show.\n";

void write_cell(JsonWriter& writer, const SummaryCell& cell) {
  writer.begin_object().field("n", cell.values.size());
  const auto number = [&](const char* key, double Statistics::*member) {
    writer.key(key);
    if (cell.statistics) {
      writer.value((*cell.statistics).*member);
    } else {
      writer.null();
    }
  };
  number("median", &Statistics::median);
  number("minimum", &Statistics::minimum);
  number("maximum", &Statistics::maximum);
  number("mad", &Statistics::mad);
  writer.key("interval");
  if (cell.statistics && cell.statistics->interval) {
    writer.begin_object()
        .field("low", cell.statistics->interval->low)
        .field("high", cell.statistics->interval->high)
        .field("coverage", cell.statistics->interval->coverage)
        .end_object();
  } else {
    writer.null();
  }
  writer.key("values").begin_array();
  for (const double value : cell.values) writer.value(value);
  writer.end_array().key("shortfalls").begin_array();
  for (const Shortfall& shortfall : cell.shortfalls) {
    writer.begin_object()
        .field("outcome", outcome_text(shortfall.outcome))
        .field("reason", shortfall.reason)
        .field("jobs", shortfall.jobs)
        .end_object();
  }
  writer.end_array().key("notes").begin_array();
  for (const std::size_t note : cell.notes) writer.value(note);
  writer.end_array().end_object();
}

void write_texts(JsonWriter& writer, const char* key,
                 const std::vector<std::string>& texts) {
  writer.key(key).begin_array();
  for (const std::string& text : texts) writer.value(text);
  writer.end_array();
}

std::string shortfall_text(const SummaryCell& cell) {
  std::vector<std::string> parts;
  for (const Shortfall& shortfall : cell.shortfalls) {
    parts.push_back(std::to_string(shortfall.jobs) + " " +
                    std::string(outcome_text(shortfall.outcome)) + ": " +
                    shortfall.reason);
  }
  return join(parts, "; ");
}

}  // namespace

std::string cell_text(const SummaryCell& cell) {
  const std::string notes = notes_text(cell.notes);
  if (!cell.statistics) {
    if (cell.shortfalls.empty()) return "-";
    return std::string(outcome_text(cell.shortfalls.front().outcome)) + notes;
  }
  const Statistics& statistics = *cell.statistics;
  std::string text = rounded_figure(statistics.median) + " (";
  if (statistics.n > 1) text += range_text(statistics) + ", ";
  return text + "n=" + std::to_string(statistics.n) + ")" + notes;
}

std::string summary_text(const Summary& summary, std::size_t width) {
  if (summary.columns.empty()) return kNothing;
  std::size_t widest = 0;
  for (const ConditionLine& line : summary.conditions) {
    widest = std::max(widest, line.name.size());
  }
  std::string out;
  for (const ConditionLine& line : summary.conditions) {
    out += printable(line.name) + std::string(widest - line.name.size(), ' ') +
           "  " + printable(line.value) + "\n";
  }
  for (const std::string& warning : summary.warnings) {
    out += "warning: " + printable(warning) + "\n";
  }
  out +=
      "\n" + table_text(summary_table(summary), width) + "\n" + kLegend + "\n";
  for (std::size_t i = 0; i < summary.notes.size(); ++i) {
    out +=
        "[" + std::to_string(i + 1) + "] " + printable(summary.notes[i]) + "\n";
  }
  return out;
}

std::string summary_markdown(const Summary& summary) {
  if (summary.columns.empty()) return kNothing;
  std::string out = table_markdown(summary_table(summary));
  out += "\n" + markdown_escaped(kLegend) + "\n";
  for (std::size_t i = 0; i < summary.notes.size(); ++i) {
    out += (i == 0 ? "\n" : "") + ("- [" + std::to_string(i + 1) + "] ") +
           markdown_escaped(summary.notes[i]) + "\n";
  }
  out += "\nConditions:\n\n";
  for (const ConditionLine& line : summary.conditions) {
    out += "- " + markdown_escaped(line.name + ": " + line.value) + "\n";
  }
  for (const std::string& warning : summary.warnings) {
    out += "- **warning:** " + markdown_escaped(warning) + "\n";
  }
  return out;
}

std::string summary_csv(const Summary& summary) {
  Table table;
  for (const char* heading :
       {"column", "stack", "profile", "phase", "key", "label", "unit", "better",
        "n", "median", "minimum", "maximum", "mad", "interval_low",
        "interval_high", "interval_coverage", "without_value"}) {
    table.columns.push_back({heading});
  }
  for (const SummaryRow& row : summary.rows) {
    for (std::size_t i = 0; i < summary.columns.size(); ++i) {
      const SummaryColumn& column = summary.columns[i];
      const SummaryCell& cell = row.cells[i];
      TableRow record;
      record.cells = {
          column.heading, column.stack, column.profile,
          row.phase,      row.key,      row.label,
          row.unit,       row.better,   std::to_string(cell.values.size())};
      if (cell.statistics) {
        const Statistics& all = *cell.statistics;
        for (const double value :
             {all.median, all.minimum, all.maximum, all.mad}) {
          record.cells.push_back(exact_figure(value));
        }
        if (all.interval) {
          record.cells.push_back(exact_figure(all.interval->low));
          record.cells.push_back(exact_figure(all.interval->high));
          record.cells.push_back(exact_figure(all.interval->coverage));
        }
      }
      record.cells.resize(table.columns.size() - 1);
      record.cells.push_back(shortfall_text(cell));
      table.rows.push_back(std::move(record));
    }
  }
  return table_csv(table);
}

std::string summary_json(const Summary& summary) {
  JsonWriter writer;
  writer.begin_object()
      .field("schema", "cowbench-summary")
      .field("schema_version", 1);
  writer.key("conditions").begin_array();
  for (const ConditionLine& line : summary.conditions) {
    writer.begin_object()
        .field("name", line.name)
        .field("value", line.value)
        .end_object();
  }
  writer.end_array();
  write_texts(writer, "warnings", summary.warnings);
  writer.key("columns").begin_array();
  for (const SummaryColumn& column : summary.columns) {
    writer.begin_object()
        .field("heading", column.heading)
        .field("stack", column.stack)
        .field("profile", column.profile)
        .field("jobs", column.jobs);
    write_texts(writer, "run_ids", column.run_ids);
    writer.end_object();
  }
  writer.end_array().key("rows").begin_array();
  for (const SummaryRow& row : summary.rows) {
    writer.begin_object()
        .field("phase", row.phase)
        .field("key", row.key)
        .field("label", row.label)
        .field("unit", row.unit)
        .field("better", row.better)
        .field("definition", row.definition);
    writer.key("cells").begin_array();
    for (const SummaryCell& cell : row.cells) write_cell(writer, cell);
    writer.end_array().end_object();
  }
  writer.end_array();
  write_texts(writer, "notes", summary.notes);
  return writer.end_object().text();
}

}  // namespace cowbench
