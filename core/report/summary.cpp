// SPDX-License-Identifier: Apache-2.0
#include "report/summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "report/conditions.hpp"

namespace cowbench {

namespace {

using FactKey = std::pair<FactScope, std::string>;
using FactMap = std::map<FactKey, std::string>;

struct Column {
  SummaryColumn about;
  std::vector<const ResultDocument*> documents;
  FactMap facts;  // of all its documents, which agree
};

FactMap fact_map(const ResultDocument& document) {
  FactMap map;
  for (Fact& fact : facts_of(document)) {
    map.emplace(FactKey{fact.scope, fact.name}, std::move(fact.value));
  }
  return map;
}

// "kernel (6.1 / 6.6)" for each fact that both know and that differs. Values
// that are whole documents are only named.
std::vector<std::string> differences(const FactMap& left, const FactMap& right,
                                     bool with_stack) {
  constexpr std::size_t kLongest = 60;
  std::vector<std::string> found;
  for (const auto& [key, value] : left) {
    if (key.first == FactScope::kStack && !with_stack) continue;
    const auto other = right.find(key);
    if (other == right.end() || other->second == value) continue;
    const bool brief =
        value.size() <= kLongest && other->second.size() <= kLongest;
    found.push_back(brief ? key.second + " (" + value + " / " + other->second +
                                ")"
                          : key.second);
  }
  return found;
}

void put_in_columns(const std::vector<ResultDocument>& documents,
                    std::vector<Column>& columns) {
  for (const ResultDocument& document : documents) {
    FactMap facts = fact_map(document);
    auto column =
        std::find_if(columns.begin(), columns.end(), [&](const Column& known) {
          return known.about.stack == document.job.stack &&
                 differences(known.facts, facts, true).empty();
        });
    if (column == columns.end()) {
      columns.emplace_back();
      column = columns.end() - 1;
      column->about.stack = document.job.stack;
      column->about.profile = document.job.profile;
    }
    column->facts.merge(facts);
    column->documents.push_back(&document);
    ++column->about.jobs;
    std::vector<std::string>& runs = column->about.run_ids;
    if (std::find(runs.begin(), runs.end(), document.run.id) == runs.end()) {
      runs.push_back(document.run.id);
    }
  }
}

// Columns of one stack stand together, in the order asked for.
void order_columns(const std::vector<std::string>& wanted,
                   std::vector<Column>& columns) {
  std::vector<std::string> order = wanted;
  for (const Column& column : columns) order.push_back(column.about.stack);
  const auto place = [&](const Column& column) {
    return std::find(order.begin(), order.end(), column.about.stack);
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const Column& left, const Column& right) {
                     return place(left) < place(right);
                   });
}

void name_columns(std::vector<Column>& columns) {
  std::map<std::string, std::size_t> total;
  for (const Column& column : columns) ++total[column.about.stack];
  std::map<std::string, std::size_t> seen;
  for (Column& column : columns) {
    column.about.heading = column.about.stack;
    if (total[column.about.stack] == 1) continue;
    column.about.heading += " #" + std::to_string(++seen[column.about.stack]);
  }
}

void warn_of_differences(const std::vector<Column>& columns, Summary& summary) {
  std::map<std::string, std::vector<std::string>> apart;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const Column& column = columns[i];
    // Against the first column of its own stack, or else the first of all.
    const Column* other = &columns.front();
    for (std::size_t k = 0; k < i; ++k) {
      if (columns[k].about.stack != column.about.stack) continue;
      other = &columns[k];
      break;
    }
    const bool split = other->about.stack == column.about.stack;
    std::vector<std::string> found =
        differences(other->facts, column.facts, split);
    if (found.empty()) continue;
    constexpr std::size_t kMost = 6;
    if (found.size() > kMost) {
      const std::size_t rest = found.size() - kMost;
      found.resize(kMost);
      found.push_back("and " + std::to_string(rest) + " more");
    }
    summary.warnings.push_back(
        other->about.heading + " and " + column.about.heading +
        (split ? " are kept apart, as they differ in: "
               : " are not comparable throughout, as they differ in: ") +
        join(found, ", "));
  }
}

void warn_of_jobs(const std::vector<ResultDocument>& documents,
                  Summary& summary) {
  for (const ResultDocument& document : documents) {
    if (document.job.outcome == Outcome::kOk) continue;
    summary.warnings.push_back(job_name(document) + " of run " +
                               document.run.id + " is " +
                               std::string(outcome_text(document.job.outcome)) +
                               ": " + document.job.reason);
  }
}

// Gives the cell a footnote; equal texts share one.
void add_note(SummaryCell& cell, const std::string& text, Summary& summary) {
  const auto found =
      std::find(summary.notes.begin(), summary.notes.end(), text);
  const auto number =
      static_cast<std::size_t>(found - summary.notes.begin()) + 1;
  if (found == summary.notes.end()) summary.notes.push_back(text);
  if (std::find(cell.notes.begin(), cell.notes.end(), number) ==
      cell.notes.end()) {
    cell.notes.push_back(number);
  }
}

// A phase says so where its value can only be too small.
void note_lower_bound(const Metric& metric, SummaryCell& cell,
                      Summary& summary) {
  for (const auto& [key, text] : metric.conditions) {
    if (key == "lower_bound") add_note(cell, "a lower bound: " + text, summary);
  }
}

SummaryCell make_cell(const Column& column, const SummaryRow& row,
                      Summary& summary) {
  SummaryCell cell;
  for (const ResultDocument* document : column.documents) {
    const Metric* metric = find_metric(*document, row.phase, row.key);
    if (metric == nullptr) continue;
    if (metric->outcome == Outcome::kOk && metric->value) {
      cell.values.push_back(*metric->value);
      note_lower_bound(*metric, cell, summary);
    } else {
      add_shortfall(cell.shortfalls, *metric);
    }
  }
  cell.statistics = describe(cell.values);
  for (const Shortfall& shortfall : cell.shortfalls) {
    add_note(
        cell,
        std::string(outcome_text(shortfall.outcome)) + ": " + shortfall.reason,
        summary);
  }
  return cell;
}

bool wanted(const SummaryRow& row, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    for (const ResultDocument* document : column.documents) {
      const Metric* metric = find_metric(*document, row.phase, row.key);
      if (metric != nullptr && metric->outcome != Outcome::kNotRequested) {
        return true;
      }
    }
  }
  return false;
}

// All metrics of all documents, those of one phase together.
std::vector<SummaryRow> list_rows(const std::vector<Column>& columns,
                                  bool all) {
  std::vector<std::string> phases;
  std::vector<SummaryRow> rows;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Column& column : columns) {
    for (const ResultDocument* document : column.documents) {
      for (const PhaseRecord& phase : document->phases) {
        phases.push_back(phase.name);
        for (const Metric& metric : phase.metrics) {
          if (metric.detail && !all) continue;
          if (!seen.emplace(phase.name, metric.key).second) continue;
          rows.push_back({phase.name,
                          metric.key,
                          metric.label,
                          metric.unit,
                          metric.better,
                          metric.definition,
                          {}});
        }
      }
    }
  }
  const auto place = [&](const SummaryRow& row) {
    return std::find(phases.begin(), phases.end(), row.phase);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const SummaryRow& left, const SummaryRow& right) {
                     return place(left) < place(right);
                   });
  return rows;
}

void add_rows(const std::vector<Column>& columns, bool all, Summary& summary) {
  std::vector<std::string> left_out;
  for (SummaryRow& row : list_rows(columns, all)) {
    if (!all && !wanted(row, columns)) {
      if (left_out.empty() || left_out.back() != row.phase) {
        left_out.push_back(row.phase);
      }
      continue;
    }
    for (const Column& column : columns) {
      row.cells.push_back(make_cell(column, row, summary));
    }
    summary.rows.push_back(std::move(row));
  }
  if (!left_out.empty()) {
    summary.conditions.push_back({"not requested", join(left_out, ", ")});
  }
}

// One line when all columns agree, else one for each value.
template <typename F>
void add_condition(const std::vector<Column>& columns, const char* name,
                   F text_of, Summary& summary) {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;
  for (const Column& column : columns) {
    for (const ResultDocument* document : column.documents) {
      const std::string text = text_of(*document);
      auto known =
          std::find_if(values.begin(), values.end(),
                       [&](const auto& value) { return value.first == text; });
      if (known == values.end()) {
        values.emplace_back(text, std::vector<std::string>());
        known = values.end() - 1;
      }
      if (known->second.empty() ||
          known->second.back() != column.about.heading) {
        known->second.push_back(column.about.heading);
      }
    }
  }
  for (const auto& [text, headings] : values) {
    summary.conditions.push_back(
        {name,
         values.size() == 1 ? text : text + " [" + join(headings, ", ") + "]"});
  }
}

std::string versions_text(const std::vector<ResultDocument>& documents) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> versions;
  const auto add = [&](const std::string& component, std::string version) {
    std::vector<std::string>& known = versions[component];
    if (known.empty()) order.push_back(component);
    if (std::find(known.begin(), known.end(), version) == known.end()) {
      known.push_back(std::move(version));
    }
  };
  for (const ResultDocument& document : documents) {
    add("cowbench", document.cowbench_version);
    if (!document.versions->IsObject()) continue;
    for (const auto& one : document.versions->GetObject()) {
      add(one.name.GetString(), plain_text(one.value));
    }
  }
  std::vector<std::string> parts;
  for (const std::string& component : order) {
    parts.push_back(component + " " + join(versions[component], " and "));
  }
  return join(parts, ", ");
}

void add_run_conditions(const std::vector<ResultDocument>& documents,
                        const std::vector<Column>& columns, Summary& summary) {
  summary.conditions.push_back({"versions", versions_text(documents)});
  std::string first = documents.front().job.started_at;
  std::string last = first;
  std::vector<std::string> runs;
  for (const ResultDocument& document : documents) {
    // ISO 8601 in UTC sorts as text.
    first = std::min(first, document.job.started_at);
    last = std::max(last, document.job.started_at);
    const std::string run =
        document.run.label.empty()
            ? document.run.id
            : document.run.id + " (" + document.run.label + ")";
    if (std::find(runs.begin(), runs.end(), run) == runs.end()) {
      runs.push_back(run);
    }
  }
  summary.conditions.push_back(
      {"date", first == last ? first : first + " to " + last});
  summary.conditions.push_back({"runs", join(runs, ", ")});
  std::vector<std::string> jobs;
  for (const Column& column : columns) {
    jobs.push_back(column.about.heading + " " +
                   std::to_string(column.about.jobs));
  }
  summary.conditions.push_back({"jobs", join(jobs, ", ")});
  for (const ResultDocument& document : documents) {
    for (const Mark& mark : document.job.marks) {
      summary.conditions.push_back(
          {"mark",
           mark.name + " [" + job_name(document) + "]: " + mark.reason});
    }
  }
}

}  // namespace

void add_shortfall(std::vector<Shortfall>& shortfalls, const Metric& metric) {
  for (Shortfall& known : shortfalls) {
    if (known.outcome != metric.outcome || known.reason != metric.reason) {
      continue;
    }
    ++known.jobs;
    return;
  }
  shortfalls.push_back({metric.outcome, metric.reason, 1});
}

Summary summarise(const std::vector<ResultDocument>& documents,
                  const SummaryOptions& options) {
  Summary summary;
  if (documents.empty()) return summary;
  std::vector<Column> columns;
  put_in_columns(documents, columns);
  order_columns(options.stacks, columns);
  name_columns(columns);

  add_condition(columns, "machine", machine_text, summary);
  add_condition(columns, "members", members_text, summary);
  add_condition(columns, "profile", profile_text, summary);
  add_run_conditions(documents, columns, summary);
  warn_of_differences(columns, summary);
  warn_of_jobs(documents, summary);
  add_rows(columns, options.all, summary);
  for (Column& column : columns) {
    summary.columns.push_back(std::move(column.about));
  }
  return summary;
}

}  // namespace cowbench
