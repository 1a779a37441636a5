// SPDX-License-Identifier: Apache-2.0
#include "report/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "report/conditions.hpp"
#include "report/figure.hpp"
#include "result/statistics.hpp"

namespace cowbench {

namespace {

using Documents = std::vector<const ResultDocument*>;

// Facts of the machine without which times are of different worlds.
constexpr const char* kKindOfMachine[] = {"architecture", "emulated",
                                          "accelerator"};

bool is_kind_of_machine(const Fact& fact) {
  return fact.scope == FactScope::kMachine &&
         std::any_of(std::begin(kKindOfMachine), std::end(kKindOfMachine),
                     [&](const char* name) { return fact.name == name; });
}

// What one side says of a fact: each value once.
struct FactValues {
  FactScope scope = FactScope::kMachine;
  std::set<std::string> a;
  std::set<std::string> b;

  bool known() const { return !a.empty() && !b.empty(); }
  bool differ() const { return known() && a != b; }
  std::string text() const {
    return join({a.begin(), a.end()}, ", ") + " | " +
           join({b.begin(), b.end()}, ", ");
  }
};
using FactTable = std::map<std::string, FactValues>;

FactTable facts_of_both(const Documents& a, const Documents& b) {
  FactTable table;
  const auto take = [&](const Documents& side,
                        std::set<std::string> FactValues::*values) {
    for (const ResultDocument* document : side) {
      for (Fact& fact : facts_of(*document)) {
        FactValues& entry = table[fact.name];
        entry.scope = fact.scope;
        (entry.*values).insert(std::move(fact.value));
      }
    }
  };
  take(a, &FactValues::a);
  take(b, &FactValues::b);
  return table;
}

// "1.8x faster": what `factor` > 1 is called, by the unit of what was measured.
std::string in_words(double factor, bool better, const ComparedMetric& metric) {
  const std::string& unit = metric.unit;
  const bool speed = unit == "ns" || unit == "us" || unit == "ms" ||
                     unit == "s" || unit.find("/s") != std::string::npos ||
                     unit == "IOPS";
  const std::string times = rounded_figure(factor) + "x ";
  if (speed) return times + (better ? "faster" : "slower");
  return times + (better ? "better" : "worse");
}

class MetricComparison {
 public:
  MetricComparison(const FactTable& facts, const CompareOptions& options)
      : facts_(facts), options_(options) {}

  // Everything but the correction over all metrics.
  void measure(ComparedMetric& metric) const {
    metric.median_a = median(metric.a.values);
    metric.median_b = median(metric.b.values);
    if (const std::string reason = obstacle(metric); !reason.empty()) {
      metric.finding = Finding::kNotComparable;
      metric.verdict = "cannot compare: " + reason;
      return;
    }
    if (!metric.median_a || !metric.median_b) {
      metric.finding = Finding::kNoValue;
      metric.verdict = missing(metric);
      return;
    }
    metric.ratio = ratio_interval(metric.a.values, metric.b.values);
    if (metric.ratio && metric.better != "neither") {
      const double ratio = metric.ratio->ratio;
      metric.worse_by = metric.better == "lower" ? ratio - 1.0 : 1.0 - ratio;
    }
    // A test that cannot fail is none, and must not count in the correction.
    const std::size_t n_a = metric.a.values.size();
    const std::size_t n_b = metric.b.values.size();
    if (least_p_value(n_a, n_b) > options_.alpha) {
      metric.finding = Finding::kTooFew;
      metric.verdict =
          "too few jobs to prove anything: " + std::to_string(n_a) + " and " +
          std::to_string(n_b);
      return;
    }
    if (const auto test = rank_test(metric.a.values, metric.b.values)) {
      metric.p_value = test->p_value;
    }
  }

  void conclude(ComparedMetric& metric) const {
    if (!metric.p_value) return;
    if (metric.p_corrected.value_or(1.0) <= options_.alpha) {
      prove(metric);
    } else {
      metric.finding = Finding::kNone;
      metric.verdict = "no difference detectable" + sensitivity(metric);
    }
  }

 private:
  std::string obstacle(const ComparedMetric& metric) const {
    std::vector<std::string> reasons;
    const std::string name = metric.phase + "." + metric.key;
    for (const char* what : {"unit", "method"}) {
      const auto found = facts_.find(std::string(what) + " of " + name);
      if (found != facts_.end() && found->second.differ()) {
        reasons.push_back(std::string(what) + " differs (" +
                          found->second.text() + ")");
      }
    }
    for (const auto& [fact, values] : facts_) {
      if (!values.differ()) continue;
      if (is_kind_of_machine({values.scope, fact, {}})) {
        reasons.push_back("kind of machine differs: " + fact + " (" +
                          values.text() + ")");
      } else if (values.scope == FactScope::kSettings &&
                 fact.rfind(metric.phase + ".", 0) == 0) {
        reasons.push_back("setting differs: " + fact + " (" + values.text() +
                          ")");
      }
    }
    return join(reasons, "; ");
  }

  static std::string missing(const ComparedMetric& metric) {
    const auto side = [](const char* name, const ComparedSide& jobs) {
      if (!jobs.values.empty()) return std::string();
      if (jobs.shortfalls.empty()) return name + std::string(": not measured");
      const Shortfall& first = jobs.shortfalls.front();
      return name + std::string(": ") +
             std::string(outcome_text(first.outcome)) + " (" + first.reason +
             ")";
    };
    const std::string a = side("a", metric.a);
    const std::string b = side("b", metric.b);
    return a + (a.empty() || b.empty() ? "" : "; ") + b;
  }

  void prove(ComparedMetric& metric) const {
    const bool more = *metric.median_b > *metric.median_a;
    const bool better = (metric.better == "higher") == more;
    if (metric.better == "neither") {
      metric.finding = Finding::kOther;
    } else {
      metric.finding = better ? Finding::kBetter : Finding::kWorse;
    }
    if (!metric.ratio || metric.ratio->ratio == 1.0) {
      metric.verdict = "differs: " + rounded_figure(*metric.median_a) +
                       " and " + rounded_figure(*metric.median_b) + " " +
                       metric.unit;
      return;
    }
    const double ratio = metric.ratio->ratio;
    const double factor = ratio > 1.0 ? ratio : 1.0 / ratio;
    metric.verdict = metric.finding == Finding::kOther
                         ? rounded_figure(ratio) + "x as much"
                         : in_words(factor, better, metric);
  }

  // The larger scatter decides what could have been seen.
  static std::string sensitivity(const ComparedMetric& metric) {
    const auto a = robust_variation(metric.a.values);
    const auto b = robust_variation(metric.b.values);
    if (!a || !b) return {};
    const auto effect = detectable_effect(
        std::max(*a, *b), metric.a.values.size(), metric.b.values.size());
    if (!effect || *effect <= 0.0) return {};
    return ": could see >= " + percentage(*effect);
  }

  const FactTable& facts_;
  const CompareOptions& options_;
};

// The metrics of a pair, in the order of their first appearance.
class Gathering {
 public:
  explicit Gathering(bool all) : all_(all) {}

  void take(const Documents& documents, ComparedSide ComparedMetric::*side) {
    for (const ResultDocument* document : documents) {
      for (const PhaseRecord& phase : document->phases) {
        if (phase.outcome == Outcome::kNotRequested) continue;
        for (const Metric& metric : phase.metrics) {
          if (metric.detail && !all_) continue;
          add(entry(phase.name, metric).*side, metric);
        }
      }
    }
  }

  std::vector<ComparedMetric> finish() { return std::move(metrics_); }

 private:
  ComparedMetric& entry(const std::string& phase, const Metric& metric) {
    const auto [found, fresh] =
        index_.try_emplace({phase, metric.key}, metrics_.size());
    if (fresh) {
      ComparedMetric made;
      made.phase = phase;
      made.key = metric.key;
      made.label = metric.label;
      made.unit = metric.unit;
      made.better = metric.better;
      metrics_.push_back(std::move(made));
    }
    return metrics_[found->second];
  }

  static void add(ComparedSide& side, const Metric& metric) {
    if (metric.outcome == Outcome::kOk && metric.value) {
      side.values.push_back(*metric.value);
      return;
    }
    add_shortfall(side.shortfalls, metric);
  }

  const bool all_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<ComparedMetric> metrics_;
};

std::map<std::string, Documents> by_stack(
    const std::vector<ResultDocument>& documents) {
  std::map<std::string, Documents> stacks;
  for (const ResultDocument& document : documents) {
    stacks[document.job.stack].push_back(&document);
  }
  return stacks;
}

class Comparer {
 public:
  explicit Comparer(const CompareOptions& options) : options_(options) {}

  Comparison run(const std::vector<ResultDocument>& a,
                 const std::vector<ResultDocument>& b) {
    warn_of_shared_jobs(a, b);
    const auto stacks_a = by_stack(a);
    const auto stacks_b = by_stack(b);
    if (stacks_a.size() == 1 && stacks_b.size() == 1) {
      pair(*stacks_a.begin(), *stacks_b.begin());
    } else {
      for (const auto& one : stacks_a) {
        const auto other = stacks_b.find(one.first);
        if (other == stacks_b.end()) {
          comparison_.alone.push_back(one.first + " (only a)");
        } else {
          pair(one, *other);
        }
      }
      for (const auto& one : stacks_b) {
        if (stacks_a.count(one.first) == 0) {
          comparison_.alone.push_back(one.first + " (only b)");
        }
      }
    }
    correct();
    return std::move(comparison_);
  }

 private:
  using Stack = std::pair<const std::string, Documents>;

  void pair(const Stack& a, const Stack& b) {
    tables_.push_back(facts_of_both(a.second, b.second));
    const FactTable& facts = tables_.back();
    tell_differences(facts, a.first == b.first);
    ComparedPair made{a.first, b.first, a.second.size(), b.second.size(), {}};
    Gathering gathering(options_.all);
    gathering.take(a.second, &ComparedMetric::a);
    gathering.take(b.second, &ComparedMetric::b);
    made.metrics = gathering.finish();
    const MetricComparison one(facts, options_);
    for (ComparedMetric& metric : made.metrics) one.measure(metric);
    comparison_.pairs.push_back(std::move(made));
  }

  // What differs between the sides is a condition of every figure; what differs
  // within one makes its figures a mixture.
  void tell_differences(const FactTable& facts, bool one_stack) {
    for (const auto& [name, values] : facts) {
      if (values.scope == FactScope::kStack && !one_stack) continue;
      const bool of_metric =
          name.rfind("unit of ", 0) == 0 || name.rfind("method of ", 0) == 0;
      if (of_metric) continue;
      if (values.a.size() > 1 || values.b.size() > 1) {
        add_once(comparison_.warnings,
                 "mixed within a side: " + name + ": " + values.text());
      } else if (values.differ()) {
        add_once(comparison_.differences, name + ": " + values.text());
      }
    }
    const auto emulated = facts.find("emulated");
    if (emulated != facts.end() && emulated->second.a.count("true") > 0) {
      add_once(comparison_.warnings,
               "a was measured in emulated guests: their times are not for "
               "comparing");
    }
    const auto processor = facts.find("processor");
    if (processor != facts.end() && processor->second.differ()) {
      add_once(comparison_.warnings,
               "the processors differ (" + processor->second.text() +
                   "): published runs of one configuration differ by up to "
                   "1.56 times between processors; a difference may be "
                   "theirs");
    }
  }

  static void add_once(std::vector<std::string>& texts, std::string text) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(std::move(text));
    }
  }

  void warn_of_shared_jobs(const std::vector<ResultDocument>& a,
                           const std::vector<ResultDocument>& b) {
    std::set<std::string> ids;
    for (const ResultDocument& document : a) ids.insert(document.job.id);
    std::size_t shared = 0;
    for (const ResultDocument& document : b) {
      shared += ids.count(document.job.id);
    }
    if (shared > 0) {
      comparison_.warnings.push_back(
          std::to_string(shared) + " of " + std::to_string(b.size()) +
          " jobs of b are also in a; they say nothing about a difference");
    }
  }

  // Among dozens of metrics some differ by chance.
  void correct() {
    std::vector<double> p_values;
    for (const ComparedPair& pair : comparison_.pairs) {
      for (const ComparedMetric& metric : pair.metrics) {
        p_values.push_back(metric.p_value.value_or(std::nan("")));
      }
    }
    const std::vector<double> corrected = holm(p_values);
    std::size_t next = 0;
    for (std::size_t i = 0; i < comparison_.pairs.size(); ++i) {
      const MetricComparison one(tables_[i], options_);
      for (ComparedMetric& metric : comparison_.pairs[i].metrics) {
        if (metric.p_value) metric.p_corrected = corrected[next];
        ++next;
        one.conclude(metric);
      }
    }
  }

  const CompareOptions& options_;
  Comparison comparison_;
  std::vector<FactTable> tables_;  // as many as pairs
};

}  // namespace

std::string_view finding_text(Finding finding) {
  switch (finding) {
    case Finding::kBetter:
      return "better";
    case Finding::kWorse:
      return "worse";
    case Finding::kOther:
      return "different";
    case Finding::kNone:
      return "no-difference";
    case Finding::kTooFew:
      return "too-few";
    case Finding::kNoValue:
      return "no-value";
    case Finding::kNotComparable:
      return "not-comparable";
  }
  return "";
}

Comparison compare(const std::vector<ResultDocument>& a,
                   const std::vector<ResultDocument>& b,
                   const std::string& name_a, const std::string& name_b,
                   const CompareOptions& options) {
  Comparison comparison = Comparer(options).run(a, b);
  comparison.name_a = name_a;
  comparison.name_b = name_b;
  return comparison;
}

std::vector<Regression> regressions(const Comparison& comparison,
                                    double share) {
  std::vector<Regression> found;
  for (const ComparedPair& pair : comparison.pairs) {
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.finding != Finding::kWorse) continue;
      // A value that was 0 and is not any more has no ratio.
      if (!metric.worse_by || *metric.worse_by >= share) {
        found.push_back({&pair, &metric});
      }
    }
  }
  return found;
}

}  // namespace cowbench
