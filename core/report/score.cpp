// SPDX-License-Identifier: Apache-2.0
#include "report/score.hpp"

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "result/statistics.hpp"

namespace cowbench {

namespace {

std::string family_of(const std::string& configuration) {
  return configuration.substr(0, configuration.find('/'));
}

std::set<std::string> texts(const JsonValue* list) {
  std::set<std::string> all;
  if (list == nullptr || !list->IsArray()) return all;
  for (const JsonValue& item : list->GetArray()) {
    if (item.IsString()) all.insert(item.GetString());
  }
  return all;
}

void read_groups(const JsonValue& json, ScoreModel& model) {
  const JsonValue* groups = member_at(json, "groups");
  if (groups == nullptr || !groups->IsArray()) return;
  for (const JsonValue& one : groups->GetArray()) {
    ScoreGroup group;
    group.key = string_at(one, "key");
    group.label = string_at(one, "label");
    const JsonValue* subgroups = member_at(one, "subgroups");
    if (subgroups == nullptr || !subgroups->IsArray()) continue;
    for (const JsonValue& subgroup : subgroups->GetArray()) {
      std::vector<std::string> metrics;
      if (!subgroup.IsArray()) continue;
      for (const JsonValue& metric : subgroup.GetArray()) {
        if (metric.IsString()) metrics.emplace_back(metric.GetString());
      }
      group.subgroups.push_back(std::move(metrics));
    }
    model.groups.push_back(std::move(group));
  }
}

bool holds(const PublishedRun& run, const std::vector<std::string>& cohort) {
  return std::all_of(cohort.begin(), cohort.end(), [&](const std::string& id) {
    return run.find(id) != nullptr;
  });
}

std::vector<const PublishedRun*> runs_used(
    const std::vector<PublishedRun>& points,
    const std::vector<std::string>& cohort, std::size_t window) {
  std::vector<const PublishedRun*> used;
  for (auto run = points.rbegin(); run != points.rend(); ++run) {
    if (used.size() == window) break;
    if (holds(*run, cohort)) used.push_back(&*run);
  }
  std::reverse(used.begin(), used.end());
  return used;
}

std::optional<double> geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0.0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

// Ratios of one metric to the cohort's median, by configuration.
std::map<std::string, double> ratios_of(
    const std::string& metric, bool lower_is_better,
    const std::vector<const PublishedRun*>& runs,
    const std::vector<std::string>& cohort) {
  std::map<std::string, double> medians;
  std::vector<double> all;
  for (const std::string& id : cohort) {
    std::vector<double> values;
    for (const PublishedRun* run : runs) {
      const auto number = run->find(id)->number(metric);
      if (number && std::isfinite(*number) && *number > 0.0) {
        values.push_back(*number);
      }
    }
    if (const auto middle = median(values)) {
      medians[id] = *middle;
      all.push_back(*middle);
    }
  }
  const auto base = median(all);
  for (auto& [id, value] : medians) {
    value = lower_is_better ? *base / value : value / *base;
  }
  return medians;
}

std::string verdict_of(const std::vector<PublishedRun>& points,
                       const ScoreModel& model, const std::string& id) {
  const std::size_t depth = std::min(model.latest_of, points.size());
  const PublishedDocument* latest = nullptr;
  for (std::size_t i = 0; i < depth && latest == nullptr; ++i) {
    latest = points[points.size() - 1 - i].find(id);
  }
  const PublishedValue* intact =
      latest == nullptr ? nullptr : latest->value(model.verdict_key);
  if (intact == nullptr || intact->kind != PublishedValue::Kind::kFlag) {
    return "N/A";
  }
  if (!intact->flag) return "FAIL";
  const bool capable = model.checksumming_families.contains(family_of(id)) ||
                       model.checksumming_configurations.contains(id);
  return capable ? "PASS" : "LUCKY";
}

GroupScore group_score(const ScoreGroup& group,
                       const std::map<std::string, double>& ratios) {
  GroupScore score;
  score.key = group.key;
  std::vector<double> subgroups;
  for (const auto& metrics : group.subgroups) {
    std::vector<double> values;
    for (const std::string& metric : metrics) {
      const auto found = ratios.find(metric);
      if (found != ratios.end()) values.push_back(found->second);
    }
    score.present += values.size();
    score.total += metrics.size();
    if (const auto mean = geometric_mean(values)) subgroups.push_back(*mean);
  }
  score.value = geometric_mean(subgroups);
  return score;
}

}  // namespace

Result<ScoreModel> parse_score_model(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return json.error().within("read a score model");
  ScoreModel model;
  model.name = string_at(*json, "name");
  model.summary = string_at(*json, "summary");
  model.window = uint_at(*json, "window", model.window);
  model.latest_of = uint_at(*json, "latest_of", model.latest_of);
  if (const JsonValue* verdict = member_at(*json, "verdict")) {
    model.verdict_key = string_at(*verdict, "key");
    model.checksumming_families =
        texts(member_at(*verdict, "checksumming_families"));
    model.checksumming_configurations =
        texts(member_at(*verdict, "checksumming_configurations"));
  }
  const JsonValue* cohorts = member_at(*json, "cohorts");
  if (cohorts != nullptr && cohorts->IsObject()) {
    for (const auto& one : cohorts->GetObject()) {
      model.cohorts[one.name.GetString()] = {
          texts(member_at(one.value, "families")),
          texts(member_at(one.value, "families_except"))};
    }
  }
  read_groups(*json, model);
  model.lower_is_better = texts(member_at(*json, "lower_is_better"));
  if (model.name.empty() || model.groups.empty() || model.window == 0) {
    return Error(Category::kUsage,
                 "a score model needs a name, a window of at least 1 run and "
                 "at least one group");
  }
  return model;
}

std::optional<std::vector<std::string>> cohort_of(
    const std::vector<PublishedRun>& points, const ScoreModel& model,
    const std::string& name) {
  constexpr std::string_view kFamily = "family:";
  constexpr std::string_view kSingle = "/single";
  const auto own = model.cohorts.find(name);
  const bool family = name.starts_with(kFamily);
  if (own == model.cohorts.end() && !family && name != "all" &&
      name != "single" && name != "multi") {
    return std::nullopt;
  }
  const auto belongs = [&](const std::string& id) {
    const bool single = id.ends_with(kSingle);
    if (name == "all") return true;
    if (name == "single" || name == "multi")
      return single == (name == "single");
    if (family) return family_of(id) == name.substr(kFamily.size());
    const ScoreCohort& cohort = own->second;
    return cohort.families.empty()
               ? !cohort.families_except.contains(family_of(id))
               : cohort.families.contains(family_of(id));
  };
  std::set<std::string> ids;
  for (const PublishedRun& run : points) {
    for (const PublishedDocument& document : run.documents) {
      if (belongs(document.configuration)) ids.insert(document.configuration);
    }
  }
  return std::vector<std::string>(ids.begin(), ids.end());
}

ScoreTable score(const std::vector<PublishedRun>& points,
                 const ScoreModel& model,
                 const std::vector<std::string>& cohort) {
  ScoreTable table;
  const auto runs = runs_used(points, cohort, model.window);
  for (const PublishedRun* run : runs) table.runs.push_back(run->name);
  std::map<std::string, std::map<std::string, double>> ratios;
  for (const ScoreGroup& group : model.groups) {
    for (const auto& subgroup : group.subgroups) {
      for (const std::string& metric : subgroup) {
        const bool lower = model.lower_is_better.contains(metric);
        for (const auto& [id, ratio] : ratios_of(metric, lower, runs, cohort)) {
          ratios[id][metric] = ratio;
        }
      }
    }
  }
  for (const std::string& id : cohort) {
    ScoreRow row;
    row.configuration = id;
    row.ratios = ratios[id];
    std::vector<double> groups;
    for (const ScoreGroup& group : model.groups) {
      row.groups.push_back(group_score(group, row.ratios));
      if (row.groups.back().value) groups.push_back(*row.groups.back().value);
    }
    row.overall = geometric_mean(groups);
    row.verdict = verdict_of(points, model, id);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace cowbench
