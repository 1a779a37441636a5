// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "report/figure.hpp"
#include "report/page.hpp"
#include "report/page_judgement.hpp"

namespace cowbench {

namespace {

std::optional<std::uint64_t> run_number(const std::string& name) {
  std::uint64_t number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Adds one source. Runs are thinned while it does so; where a run went is
// remembered, as methods changed between runs and not between days.
class Importer {
 public:
  Importer(const PublishedMetrics& known, Page& page)
      : known_(known), page_(page) {}

  void add(PublishedHistory history, const std::string& name,
           const ScoreModel* model) {
    for (const UnreadableDocument& bad : history.unreadable) {
      page_.warnings.push_back(bad.path + ": " + bad.reason);
      ++page_.unreadable;
    }
    if (history.runs.empty()) return;
    remember(history.runs);
    const std::string devices = history.runs.back().documents.front().devices;
    numbered_ = known_.numbered_runs.empty() || devices == known_.numbered_runs;
    runs_ = compress_history(std::move(history.runs), kRawRuns);
    source_ = page_.sources.size();
    page_.sources.push_back({name, {}, {}, {}});
    describe_source();
    add_entries();
    gather();
    for (const PublishedMetric& metric : known_.metrics) add_metric(metric);
    add_unknown_metrics();
    if (model != nullptr) add_judgements(runs_, *model, entries_, page_);
  }

 private:
  // What is lost when old runs become days: their numbers, and which run
  // belongs to which day.
  void remember(const std::vector<PublishedRun>& runs) {
    constexpr std::size_t kDayLength = 10;  // "2026-07-24"
    const std::size_t older = runs.size() - std::min(runs.size(), kRawRuns);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      numbers_.push_back(run_number(runs[i].name));
      if (i >= older) continue;
      const bool same = i > 0 && runs[i].date.substr(0, kDayLength) ==
                                     runs[i - 1].date.substr(0, kDayLength);
      if (!same) day_ends_.push_back(i);
      day_ends_.back() = i + 1;
    }
  }

  PageSource& source() { return page_.sources[source_]; }

  void describe_source() {
    std::set<std::string> devices;
    std::set<std::string> kernels;
    std::vector<double> streams;
    std::vector<double> randoms;
    std::size_t raw = 0;
    for (const PublishedRun& run : runs_) {
      source().points.push_back({run.name, run.date, run.kernels, run.is_day});
      if (run.is_day) continue;
      ++raw;
      for (const PublishedDocument& document : run.documents) {
        devices.insert(document.devices);
        kernels.insert(document.kernel);
        const auto stream = document.calibration.find("seqwrite_mbps");
        const auto random = document.calibration.find("randwrite_iops");
        if (stream != document.calibration.end())
          streams.push_back(stream->second);
        if (random != document.calibration.end())
          randoms.push_back(random->second);
      }
    }
    std::vector<ConditionLine>& facts = source().facts;
    for (const std::string& one : devices) {
      facts.push_back({"members", one == "loop"
                                      ? "loop devices: files on another "
                                        "filesystem"
                                      : one});
      const bool nvme = one.find("nvme") != std::string::npos;
      facts.push_back({"kind of disk",
                       nvme
                           ? "NVMe SSD, as the devices' names say"
                           : "not recorded: SSD or HDD is not in the results"});
    }
    for (const std::string& one : kernels) facts.push_back({"kernel", one});
    facts.push_back({"runs", std::to_string(numbers_.size()) + ", of which " +
                                 std::to_string(raw) + " with own values"});
    add_calibration("disk below, stream write", "MiB/s", streams);
    add_calibration("disk below, random write", "IOPS", randoms);
  }

  void add_calibration(const std::string& name, const std::string& unit,
                       const std::vector<double>& values) {
    const auto found = describe(values);
    if (!found) return;
    source().facts.push_back(
        {name, rounded_figure(found->median) + " " + unit + " (" +
                   rounded_figure(found->minimum) + " to " +
                   rounded_figure(found->maximum) +
                   ", n=" + std::to_string(found->n) + ")"});
  }

  void add_entries() {
    std::set<std::string> names;
    for (const PublishedRun& run : runs_) {
      for (const PublishedDocument& document : run.documents) {
        names.insert(document.configuration);
      }
    }
    for (const std::string& name : names) {
      PageEntry entry;
      entry.name = name;
      entry.family = name.substr(0, name.find('/'));
      const auto known = known_.classes.find(name);
      entry.stack_class = known != known_.classes.end() ? known->second
                          : name.ends_with("/single")   ? "single"
                                                        : "not known";
      entry.source = source_;
      std::vector<const PublishedDocument*> all;
      all.reserve(runs_.size());
      const PublishedDocument* latest = nullptr;
      for (const PublishedRun& run : runs_) {
        all.push_back(run.find(name));
        if (all.back() != nullptr && !run.is_day) latest = all.back();
      }
      if (latest != nullptr) describe_entry(*latest, entry);
      documents_.push_back(std::move(all));
      entries_.push_back(page_.add_entry(std::move(entry)));
    }
  }

  static void describe_entry(const PublishedDocument& latest,
                             PageEntry& entry) {
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) entry.facts.push_back({name, value});
    };
    add("tools", latest.version);
    add("kernel", latest.kernel);
    if (latest.members) {
      add("members",
          std::to_string(*latest.members) +
              (latest.devices == "loop" ? " loop devices" : " devices"));
    }
  }

  // Every number and flag once, in the order of the documents: looking each
  // metric up in each document takes three times as long.
  void gather() {
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      for (std::size_t i = 0; i < documents_[e].size(); ++i) {
        if (documents_[e][i] == nullptr) continue;
        // Both are in the order of their keys.
        auto column = columns_.begin();
        for (const auto& [key, value] : documents_[e][i]->results) {
          const bool flag = value.kind == PublishedValue::Kind::kFlag;
          if (!flag && value.kind != PublishedValue::Kind::kNumber) continue;
          while (column != columns_.end() && column->first < key) ++column;
          if (column == columns_.end() || column->first != key) {
            column = columns_.emplace_hint(
                column, std::string(key),
                std::vector<std::vector<double>>(entries_.size()));
          }
          std::vector<double>& series = column->second[e];
          if (series.empty()) series.assign(runs_.size(), kGap);
          series[i] = flag ? (value.flag ? 1.0 : 0.0) : value.number;
        }
      }
    }
  }

  void add_metric(const PublishedMetric& metric) {
    if (metric.kind == PublishedMetric::Kind::kSeries) {
      add_curves(metric);
      return;
    }
    const bool flag = metric.kind == PublishedMetric::Kind::kFlag;
    const auto found = columns_.find(metric.key);
    if (found == columns_.end()) return;
    std::vector<std::vector<double>>& series = found->second;
    PageMetric about = page_metric(metric);
    about.kind = flag ? PageMetric::Kind::kFlag : PageMetric::Kind::kNumber;
    const std::size_t m = page_.metric_index(about);
    const std::vector<PageBreak> breaks = breaks_of(metric, m);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      page_.cells[m][entries_[e]] = cell_of(metric, e, series[e], breaks);
      page_.series[m][entries_[e]] = std::move(series[e]);
    }
    source().breaks.insert(source().breaks.end(), breaks.begin(), breaks.end());
  }

  // Keys that the file of metrics does not know are shown by their names.
  void add_unknown_metrics() {
    std::set<std::string> known;
    for (const PublishedMetric& metric : known_.metrics) {
      known.insert(metric.key);
    }
    std::set<std::string_view> unknown;
    for (const PublishedDocument& document : runs_.back().documents) {
      for (const auto& [key, value] : document.results) {
        if (value.kind == PublishedValue::Kind::kNumber &&
            !known.contains(std::string(key))) {
          unknown.insert(key);
        }
      }
    }
    for (const std::string_view key : unknown) {
      PublishedMetric metric;
      metric.key = key;
      metric.label = key;
      metric.better = "neither";
      metric.group = "Other";
      metric.definition = "Not described: this program does not know the key.";
      add_metric(metric);
    }
  }

  static PageMetric page_metric(const PublishedMetric& metric) {
    PageMetric about;
    about.key = metric.key;
    about.label = metric.label;
    about.unit = metric.unit;
    about.better = metric.better;
    about.group = metric.group;
    about.definition = metric.definition;
    about.axis = metric.axis;
    about.words = metric.words;
    about.detail = metric.detail;
    return about;
  }

  // The point that holds the first run with a number above `after`.
  std::optional<std::size_t> point_after(std::uint64_t after) const {
    const auto first = std::find_if(
        numbers_.begin(), numbers_.end(),
        [&](const auto& number) { return number && *number > after; });
    if (first == numbers_.begin() || first == numbers_.end()) {
      return std::nullopt;
    }
    const auto run = static_cast<std::size_t>(first - numbers_.begin());
    const std::size_t raw = std::min(numbers_.size(), kRawRuns);
    const std::size_t days = runs_.size() - raw;
    const std::size_t older = numbers_.size() - raw;
    if (run >= older) return days + (run - older);
    for (std::size_t day = 0; day < day_ends_.size(); ++day) {
      if (run < day_ends_[day]) return day;
    }
    return std::nullopt;
  }

  std::vector<PageBreak> breaks_of(const PublishedMetric& metric,
                                   std::size_t m) const {
    std::vector<PageBreak> breaks;
    if (!numbered_) return breaks;
    for (const MethodChange& change : metric.changes) {
      if (const auto point = point_after(change.after_run)) {
        breaks.push_back({m, *point, change.why, change.only});
      }
    }
    return breaks;
  }

  PageCell cell_of(const PublishedMetric& metric, std::size_t e,
                   const std::vector<double>& series,
                   const std::vector<PageBreak>& breaks) const {
    const std::string& name = page_.entries[entries_[e]].name;
    const std::size_t raw = std::min(numbers_.size(), kRawRuns);
    const std::size_t current = std::min(raw, known_.current_runs);
    std::size_t first = runs_.size() - current;
    for (const PageBreak& one : breaks) {
      if (name.find(one.only) != std::string::npos) {
        first = std::max(first, one.point);
      }
    }
    PageCell cell;
    std::size_t zeros = 0;
    std::size_t jobs = 0;
    std::vector<double> values;
    for (std::size_t i = first; i < runs_.size(); ++i) {
      if (documents_[e][i] == nullptr) continue;
      ++jobs;
      if (series.empty() || std::isnan(series[i])) continue;
      if (series[i] == 0.0 && !metric.zero.empty()) {
        ++zeros;
      } else {
        values.push_back(series[i]);
      }
    }
    cell.statistics = describe(values);
    explain(metric, name, jobs, zeros, cell);
    return cell;
  }

  void explain(const PublishedMetric& metric, const std::string& name,
               std::size_t jobs, std::size_t zeros, PageCell& cell) const {
    const std::size_t have = cell.statistics ? cell.statistics->n : 0;
    const auto share = [&](std::size_t part) {
      return std::to_string(part) + " of " + std::to_string(jobs) + " runs: ";
    };
    const auto able = known_.can.find(name);
    const std::size_t colon = metric.absent.find(": ");
    const bool says = colon != std::string::npos;
    if (have > 0) {
      cell.outcome = "ok";
      if (zeros > 0) {
        cell.reason = share(zeros) + metric.zero;
      } else if (jobs > have) {
        cell.reason = share(jobs - have) +
                      (says ? metric.absent : "no value was published");
      }
    } else if (zeros > 0) {
      cell.outcome = "failed";
      cell.reason = share(zeros) + metric.zero;
    } else if (!metric.needs.empty() && able != known_.can.end() &&
               !able->second.contains(metric.needs)) {
      cell.outcome = "not-applicable";
      const auto words = known_.abilities.find(metric.needs);
      cell.reason =
          "this stack lacks " +
          (words == known_.abilities.end() ? metric.needs : words->second);
    } else if (jobs == 0) {
      cell.outcome = "not-available";
      cell.reason = "the stack is in none of the newest runs";
    } else {
      cell.outcome = says ? metric.absent.substr(0, colon) : "not-available";
      cell.reason =
          says ? metric.absent.substr(colon + 2) : "no value was published";
    }
  }

  void add_curves(const PublishedMetric& metric) {
    std::optional<std::size_t> m;
    const std::size_t current =
        std::min({numbers_.size(), kRawRuns, known_.current_runs});
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      std::vector<const std::vector<float>*> all;
      for (std::size_t i = runs_.size() - current; i < runs_.size(); ++i) {
        const PublishedValue* value = documents_[e][i] == nullptr
                                          ? nullptr
                                          : documents_[e][i]->value(metric.key);
        if (value != nullptr && value->series != nullptr &&
            !value->series->empty()) {
          all.push_back(value->series.get());
        }
      }
      if (all.empty()) continue;
      if (!m) {
        PageMetric about = page_metric(metric);
        about.kind = PageMetric::Kind::kCurve;
        m = page_.metric_index(about);
      }
      PageCurve curve;
      curve.metric = *m;
      curve.entry = entries_[e];
      curve.latest = *all.back();
      curve.runs = all.size();
      for (std::size_t i = 0; i < curve.latest.size(); ++i) {
        std::vector<double> values;
        for (const auto* one : all) {
          if (i < one->size()) values.push_back((*one)[i]);
        }
        curve.middle.push_back(static_cast<float>(*median(values)));
      }
      page_.curves.push_back(std::move(curve));
    }
  }

  const PublishedMetrics& known_;
  Page& page_;
  std::size_t source_ = 0;
  bool numbered_ = false;
  std::vector<std::optional<std::uint64_t>> numbers_;  // before thinning
  std::vector<std::size_t> day_ends_;
  std::vector<PublishedRun> runs_;
  std::vector<std::size_t> entries_;  // in the page
  // By entry and point; null where a run lacks the entry.
  std::vector<std::vector<const PublishedDocument*>> documents_;
  // By key, then by entry and point; empty where there is no value at all.
  std::map<std::string, std::vector<std::vector<double>>> columns_;
};

}  // namespace

void add_published(PublishedHistory history, const std::string& name,
                   const PublishedMetrics& metrics, const ScoreModel* model,
                   Page& page) {
  Importer(metrics, page).add(std::move(history), name, model);
  if (!metrics.source.empty() &&
      std::find(page.thanks.begin(), page.thanks.end(), metrics.source) ==
          page.thanks.end()) {
    page.thanks.push_back(metrics.source);
  }
}

}  // namespace cowbench
