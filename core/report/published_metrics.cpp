// SPDX-License-Identifier: Apache-2.0
#include "report/published_metrics.hpp"

#include "base/json.hpp"

namespace cowbench {

namespace {

// Calls `use` for each element of an array; what is absent has none.
template <typename Use>
void each(const JsonValue& object, const char* key, const Use& use) {
  const JsonValue* list = member_at(object, key);
  if (list == nullptr || !list->IsArray()) return;
  for (const JsonValue& item : list->GetArray()) use(item);
}

template <typename Use>
void each_member(const JsonValue& object, const char* key, const Use& use) {
  const JsonValue* found = member_at(object, key);
  if (found == nullptr || !found->IsObject()) return;
  for (const auto& member : found->GetObject()) {
    use(std::string(member.name.GetString()), member.value);
  }
}

PublishedMetric::Kind kind_of(const std::string& kind,
                              const std::string& unit) {
  if (kind == "series") return PublishedMetric::Kind::kSeries;
  return unit == "flag" ? PublishedMetric::Kind::kFlag
                        : PublishedMetric::Kind::kNumber;
}

PublishedMetric read_metric(const JsonValue& json,
                            std::map<std::string, std::string>& groups) {
  PublishedMetric metric;
  metric.key = string_at(json, "key");
  metric.label = string_at(json, "label", metric.key);
  metric.unit = string_at(json, "unit");
  metric.kind = kind_of(string_at(json, "kind"), metric.unit);
  metric.better = string_at(json, "better", "neither");
  metric.group = groups[string_at(json, "group")];
  metric.definition = string_at(json, "definition");
  metric.axis = string_at(json, "axis");
  metric.needs = string_at(json, "needs");
  metric.absent = string_at(json, "absent");
  metric.zero = string_at(json, "zero");
  metric.detail = bool_at(json, "detail");
  each(json, "words", [&](const JsonValue& word) {
    if (word.IsString()) metric.words.emplace_back(word.GetString());
  });
  if (metric.words.size() != 2) metric.words = {"no", "yes"};
  each(json, "methods", [&](const JsonValue& change) {
    metric.changes.push_back({uint_at(change, "after_run"),
                              string_at(change, "why"),
                              string_at(change, "only")});
  });
  return metric;
}

}  // namespace

Result<PublishedMetrics> parse_published_metrics(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return json.error().within("metrics of published results");
  PublishedMetrics all;
  all.source = string_at(*json, "source");
  all.current_runs = uint_at(*json, "current_runs", all.current_runs);
  all.numbered_runs = string_at(*json, "numbered_runs");
  each_member(*json, "abilities",
              [&](const std::string& name, const JsonValue& words) {
                all.abilities[name] = words.IsString() ? words.GetString() : "";
              });
  each_member(*json, "configurations",
              [&](const std::string& id, const JsonValue& about) {
                all.classes[id] = string_at(about, "class");
                each(about, "can", [&](const JsonValue& ability) {
                  if (ability.IsString())
                    all.can[id].insert(ability.GetString());
                });
              });
  std::map<std::string, std::string> groups;
  each(*json, "groups", [&](const JsonValue& group) {
    groups[string_at(group, "key")] = string_at(group, "label");
  });
  each(*json, "metrics", [&](const JsonValue& metric) {
    all.metrics.push_back(read_metric(metric, groups));
  });
  if (all.metrics.empty()) {
    return Error(Category::kUsage,
                 "metrics of published results: there are none");
  }
  return all;
}

}  // namespace cowbench
