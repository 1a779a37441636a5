// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/units.hpp"
#include "report/conditions.hpp"
#include "report/page.hpp"

namespace cowbench {

namespace {

using Documents = std::vector<const ResultDocument*>;

// Of the documents of one column of the summary.
Documents documents_of(const SummaryColumn& column,
                       const std::vector<ResultDocument>& documents) {
  Documents found;
  for (const ResultDocument& document : documents) {
    const bool in_run = std::find(column.run_ids.begin(), column.run_ids.end(),
                                  document.run.id) != column.run_ids.end();
    if (in_run && document.job.stack == column.stack) {
      found.push_back(&document);
    }
  }
  return found;
}

std::vector<PhaseWork> work_of(const ResultDocument& document) {
  std::vector<PhaseWork> all;
  for (const PhaseRecord& phase : document.phases) {
    if (!phase.accounting->IsObject()) continue;
    PhaseWork work;
    work.phase = phase.name;
    work.write_amplification = phase.write_amplification;
    const JsonValue* members = member_at(*phase.accounting, "members");
    if (members == nullptr || !members->IsArray()) continue;
    for (const JsonValue& member : members->GetArray()) {
      work.members.push_back(
          {string_at(member, "name"), double_at(member, "read_bytes"),
           double_at(member, "write_bytes"), double_at(member, "flush_ops")});
    }
    all.push_back(std::move(work));
  }
  return all;
}

void add_fact(std::vector<ConditionLine>& facts, const std::string& name,
              const std::string& value) {
  if (!value.empty()) facts.push_back({name, value});
}

PageEntry entry_of(const SummaryColumn& column, const ResultDocument& document,
                   std::size_t source) {
  PageEntry entry;
  entry.name = column.heading;
  entry.family = document.job.family;
  entry.stack_class = document.job.stack_class;
  entry.source = source;
  add_fact(entry.facts, "members", members_text(document));
  for (const LayerRecord& layer : document.layers) {
    std::string text = layer.plugin + " " + layer.version;
    if (layer.effective->IsObject()) {
      text += ": " + plain_text(*layer.effective);
    }
    add_fact(entry.facts, "layer " + layer.name, text);
  }
  if (document.mount->IsObject()) {
    add_fact(entry.facts, "mount options",
             string_at(*document.mount, "options"));
  }
  if (document.versions->IsObject()) {
    for (const auto& version : document.versions->GetObject()) {
      add_fact(entry.facts, version.name.GetString(),
               plain_text(version.value));
    }
  }
  add_fact(entry.facts, "newest job took",
           format_duration(document.job.duration_ns));
  entry.work = work_of(document);
  return entry;
}

// What makes a machine. Its kernel does not: that is what runs differ in.
std::string machine_key(const ResultDocument& document) {
  std::string key;
  for (const Fact& fact : facts_of(document)) {
    if (fact.scope == FactScope::kMachine && fact.name != "kernel") {
      key += fact.name + "=" + fact.value + "\n";
    }
  }
  return key;
}

// The results of one machine are one source; its runs are its points.
class Machines {
 public:
  Machines(const std::vector<ResultDocument>& documents, Page& page)
      : page_(page) {
    std::vector<const ResultDocument*> sorted;
    for (const ResultDocument& document : documents) {
      sorted.push_back(&document);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const ResultDocument* a, const ResultDocument* b) {
                       return a->job.started_at < b->job.started_at;
                     });
    for (const ResultDocument* document : sorted) add(*document);
  }

  std::size_t source_of(const ResultDocument& document) const {
    return sources_.at(machine_key(document));
  }

  std::size_t point_of(const ResultDocument& document) const {
    const auto& points = page_.sources[source_of(document)].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].name == document.run.id) return i;
    }
    return 0;
  }

 private:
  void add(const ResultDocument& document) {
    const std::string machine = machine_text(document);
    const auto [place, fresh] =
        sources_.try_emplace(machine_key(document), page_.sources.size());
    if (fresh) {
      PageSource source;
      source.name = machine.substr(0, machine.find(','));
      source.facts.push_back({"machine", machine});
      page_.sources.push_back(std::move(source));
    }
    std::vector<PagePoint>& points = page_.sources[place->second].points;
    for (const PagePoint& point : points) {
      if (point.name == document.run.id) return;
    }
    points.push_back({document.run.id, document.job.started_at,
                      string_at(*document.environment, "kernel"), false});
    if (page_.sources[place->second].facts.size() == 1) {
      page_.sources[place->second].facts.push_back(
          {"profile", profile_text(document)});
    }
  }

  Page& page_;
  std::map<std::string, std::size_t> sources_;
};

PageCell cell_of(const SummaryCell& cell) {
  PageCell made;
  made.statistics = cell.statistics;
  made.values = cell.values;
  made.outcome = "ok";
  if (!cell.shortfalls.empty()) {
    const Shortfall& first = cell.shortfalls.front();
    if (!cell.statistics) made.outcome = outcome_text(first.outcome);
    made.reason = first.reason;
    if (cell.statistics) {
      made.reason = std::to_string(first.jobs) + " more jobs " +
                    std::string(outcome_text(first.outcome)) + ": " +
                    first.reason;
    }
  } else if (!cell.statistics) {
    made.outcome = "not-available";
    made.reason = "no job of this stack knows the metric";
  }
  return made;
}

// Medians of the jobs of each run, and a mark where the method changed.
std::vector<double> series_of(const SummaryRow& row, const Documents& documents,
                              const Machines& machines, std::size_t m,
                              PageSource& source) {
  std::vector<std::vector<double>> values(source.points.size());
  std::map<std::size_t, std::uint64_t> methods;
  for (const ResultDocument* document : documents) {
    const Metric* metric = find_metric(*document, row.phase, row.key);
    if (metric == nullptr || metric->outcome != Outcome::kOk) continue;
    const std::size_t point = machines.point_of(*document);
    if (metric->value) values[point].push_back(*metric->value);
    methods[point] = metric->method;
  }
  std::vector<double> series(values.size(), kGap);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto middle = median(values[i])) series[i] = *middle;
  }
  for (auto one = methods.begin(); one != methods.end(); ++one) {
    const auto next = std::next(one);
    if (next == methods.end() || next->second == one->second) continue;
    const bool known = std::any_of(
        source.breaks.begin(), source.breaks.end(), [&](const PageBreak& b) {
          return b.metric == m && b.point == next->first;
        });
    if (!known) {
      source.breaks.push_back(
          {m,
           next->first,
           "method " + std::to_string(next->second) + " from here on",
           {}});
    }
  }
  return series;
}

PageMetric page_metric(const SummaryRow& row) {
  PageMetric metric;
  metric.key = row.key;
  metric.label = row.label.empty() ? row.key : row.label;
  metric.unit = row.unit;
  metric.better = row.better;
  metric.group = row.phase;
  metric.definition = row.definition;
  return metric;
}

}  // namespace

void add_results(const std::vector<ResultDocument>& documents, Page& page) {
  if (documents.empty()) return;
  const Machines machines(documents, page);
  SummaryOptions options;
  options.all = true;
  const Summary summary = summarise(documents, options);
  page.warnings.insert(page.warnings.end(), summary.warnings.begin(),
                       summary.warnings.end());
  std::vector<std::size_t> entries;
  std::vector<Documents> behind;
  for (const SummaryColumn& column : summary.columns) {
    behind.push_back(documents_of(column, documents));
    const ResultDocument& latest = *behind.back().back();
    entries.push_back(
        page.add_entry(entry_of(column, latest, machines.source_of(latest))));
  }
  for (const SummaryRow& row : summary.rows) {
    const bool any = std::any_of(
        row.cells.begin(), row.cells.end(), [](const SummaryCell& cell) {
          return cell.statistics || !cell.shortfalls.empty();
        });
    if (!any) continue;
    const std::size_t m = page.metric_index(page_metric(row));
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      page.cells[m][entries[c]] = cell_of(row.cells[c]);
      PageSource& source = page.sources[page.entries[entries[c]].source];
      page.series[m][entries[c]] =
          series_of(row, behind[c], machines, m, source);
    }
  }
}

}  // namespace cowbench
