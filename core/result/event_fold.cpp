// SPDX-License-Identifier: Apache-2.0
#include "result/event_fold.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/units.hpp"

namespace cowbench {

namespace {

std::string json_at(const JsonValue& object, const char* key,
                    const char* fallback) {
  const JsonValue* found = member_at(object, key);
  if (found == nullptr) return fallback;
  JsonWriter writer;
  writer.value(*found);
  return writer.text();
}

// As json_at(), but the fallback also replaces a value of another type.
std::string object_at(const JsonValue& object, const char* key) {
  const JsonValue* found = member_at(object, key);
  return found != nullptr && found->IsObject() ? json_at(object, key, "{}")
                                               : "{}";
}

std::pair<Outcome, std::string> judgement_of(const JsonValue& json) {
  return judge(string_at(json, "outcome"), string_at(json, "reason"));
}

void declare(FoldedPhase& phase, const JsonValue& json) {
  Metric metric;
  metric.key = string_at(json, "key");
  metric.label = string_at(json, "label", metric.key);
  metric.unit = string_at(json, "unit");
  metric.better = string_at(json, "better", "neither");
  metric.definition = string_at(json, "definition");
  metric.method = uint_at(json, "method");
  metric.detail = bool_at(json, "detail") || uint_at(json, "detail") != 0;
  for (FoldedMetric& known : phase.metrics) {
    if (known.metric.key != metric.key) continue;
    known.metric = metric;
    return;
  }
  phase.metrics.push_back({metric, false, "{}"});
}

// JSON has no NaN: the writer of events turned it into null. A figure without
// a number, or condensed from something that holds none, is no figure.
void read_value(const JsonValue& event, Metric& metric) {
  bool numbers = true;
  const JsonValue* samples = member_at(event, "samples");
  if (samples != nullptr && samples->IsArray()) {
    for (const JsonValue& sample : samples->GetArray()) {
      numbers = numbers && sample.IsNumber();
      if (sample.IsNumber()) metric.samples.push_back(sample.GetDouble());
    }
  }
  if (metric.outcome != Outcome::kOk && metric.outcome != Outcome::kWithheld) {
    return;
  }
  const JsonValue* value = member_at(event, "value");
  if (value != nullptr && value->IsNumber() && numbers) {
    metric.value = value->GetDouble();
    metric.n = std::max<std::uint64_t>(metric.samples.size(), 1);
    metric.observations = uint_at(event, "observations");
    if (metric.observations == 0) metric.observations = metric.n;
  } else if (metric.outcome == Outcome::kOk) {
    metric.outcome = Outcome::kFailed;
    metric.reason = numbers ? "not a number" : "not a number among the samples";
  }
}

}  // namespace

Status EventFold::apply(const JsonValue& event) {
  const std::string type = string_at(event, "type");
  last_at_ns_ = std::max(last_at_ns_, uint_at(event, "at_ns"));
  if (type == "job-start") return start_job(event);
  if (type == "environment") {
    environment_json_ = json_at(event, "environment", "null");
  } else if (type == "guest") {
    guest_json_ = object_at(event, "guest");
  } else if (type == "guest-booted") {
    boot_ns_ = uint_at(event, "boot_ns");
  } else if (type == "members") {
    members_json_ = json_at(event, "members", "[]");
  } else if (type == "version") {
    take_version(event);
  } else if (type == "effective") {
    take_effective(event);
  } else if (type == "mount") {
    take_mount(event);
  } else if (type == "step-start" || type == "step-end") {
    take_step(event, type == "step-start");
  } else if (type == "log") {
    take_log(event);
  } else if (type == "mark") {
    take_mark(event);
  } else if (type == "job-end") {
    has_end_ = true;
    std::tie(job_.outcome, job_.reason) = judgement_of(event);
    job_.duration_ns = uint_at(event, "duration_ns");
    left_over_json_ = json_at(event, "left_over", "[]");
  } else if (const std::string name = string_at(event, "phase");
             !name.empty()) {
    apply_to_phase(type, event, name);
  }
  return {};
}

void EventFold::apply_to_phase(const std::string& type, const JsonValue& event,
                               const std::string& name) {
  if (type == "phase-start") {
    FoldedPhase& running = phase(name);
    running.started = true;
    running.started_at_ns = uint_at(event, "at_ns");
  } else if (type == "quiesce") {
    take_quiesce(event, phase(name));
  } else if (type == "cold") {
    take_cold(event, name);
  } else if (type == "metric-declared") {
    if (const JsonValue* metric = member_at(event, "metric")) {
      declare(phase(name), *metric);
    }
  } else if (type == "metric") {
    take_metric(event, phase(name));
  } else if (type == "usage") {
    take_usage(event, phase(name));
  } else if (type == "phase-end") {
    end_phase(event, phase(name));
  }
}

void EventFold::warn(std::string text) {
  add_log("warning", "", "", std::move(text));
}

Status EventFold::start_job(const JsonValue& event) {
  const std::int64_t version = int_at(event, "events_version");
  if (version != kEventsVersion) {
    return Error(Category::kUsage,
                 "event log version " + std::to_string(version) +
                     " is not one that this program reads (" +
                     std::to_string(kEventsVersion) +
                     "): use the version of cowbench that wrote it, or newer");
  }
  has_start_ = true;
  cowbench_version_ = string_at(event, "cowbench_version");
  run_.id = string_at(event, "run_id");
  run_.label = string_at(event, "run_label");
  run_.seed = uint_at(event, "seed");
  run_.order = uint_at(event, "order");
  run_.jobs = uint_at(event, "jobs");
  job_.id = string_at(event, "job_id");
  job_.stack = string_at(event, "stack");
  job_.profile = string_at(event, "profile");
  job_.repetition = uint_at(event, "repetition", 1);
  job_.started_at = string_at(event, "started_at");
  stack_document_json_ = json_at(event, "stack_document", "null");
  profile_document_json_ = json_at(event, "profile_document", "null");
  overrides_json_ = object_at(event, "overrides");
  if (const JsonValue* stack = member_at(event, "stack_document")) {
    job_.family = string_at(*stack, "family");
    job_.stack_class = string_at(*stack, "class");
  }
  const JsonValue* layers = member_at(event, "layers");
  if (layers != nullptr && layers->IsArray()) {
    for (const JsonValue& layer : layers->GetArray()) {
      layers_.push_back({string_at(layer, "name"),
                         string_at(layer, "plugin"),
                         string_at(layer, "version"),
                         object_at(layer, "options"),
                         {}});
    }
  }
  const JsonValue* phases = member_at(event, "phases");
  if (phases != nullptr && phases->IsArray()) {
    for (const JsonValue& json : phases->GetArray()) add_phase(json);
  }
  return {};
}

void EventFold::add_phase(const JsonValue& json) {
  FoldedPhase& added = phase(string_at(json, "name"));
  added.plugin = string_at(json, "plugin");
  added.version = string_at(json, "version");
  added.stage = string_at(json, "stage", added.stage);
  added.options_json = object_at(json, "options");
  added.requested = bool_at(json, "requested", true);
  const JsonValue* metrics = member_at(json, "metrics");
  if (metrics == nullptr || !metrics->IsArray()) return;
  for (const JsonValue& metric : metrics->GetArray()) declare(added, metric);
}

// An event may come before the plan names its phase: no event is lost.
FoldedPhase& EventFold::phase(const std::string& name) {
  for (FoldedPhase& known : phases_) {
    if (known.name == name) return known;
  }
  phases_.emplace_back();
  phases_.back().name = name;
  return phases_.back();
}

void EventFold::end_phase(const JsonValue& event, FoldedPhase& ended) {
  ended.ended = true;
  std::tie(ended.outcome, ended.reason) = judgement_of(event);
  ended.duration_ns = uint_at(event, "duration_ns");
  ended.quiesce_ns = uint_at(event, "quiesce_ns", ended.quiesce_ns);
  ended.accounting_json = json_at(event, "accounting", "null");
  const std::string evidence = string_at(event, "evidence");
  if (!evidence.empty()) {
    add_log("error", "phase", ended.name, "evidence was kept in " + evidence);
  }
}

void EventFold::take_metric(const JsonValue& event, FoldedPhase& owner) {
  const std::string key = string_at(event, "key");
  auto found = std::find_if(
      owner.metrics.begin(), owner.metrics.end(),
      [&](const FoldedMetric& known) { return known.metric.key == key; });
  if (found == owner.metrics.end()) {
    owner.metrics.emplace_back();
    found = owner.metrics.end() - 1;
    found->metric.key = key;
    found->metric.label = key;
    found->metric.better = "neither";
  }
  found->emitted = true;
  found->metric.samples.clear();
  std::tie(found->metric.outcome, found->metric.reason) = judgement_of(event);
  read_value(event, found->metric);
  found->conditions_json = object_at(event, "conditions");
  found->metric.conditions.clear();
  const JsonValue* conditions = member_at(event, "conditions");
  if (conditions == nullptr || !conditions->IsObject()) return;
  for (const auto& one : conditions->GetObject()) {
    found->metric.conditions.emplace_back(one.name.GetString(),
                                          plain_text(one.value));
  }
}

void EventFold::take_step(const JsonValue& event, bool start) {
  const std::string name = string_at(event, "step");
  auto found =
      std::find_if(steps_.begin(), steps_.end(),
                   [&](const FoldedStep& step) { return step.name == name; });
  if (found == steps_.end()) {
    steps_.push_back({name, false, 0, 0});
    found = steps_.end() - 1;
  }
  found->running = start;
  if (start) {
    found->started_at_ns = uint_at(event, "at_ns");
  } else {
    found->duration_ns += uint_at(event, "duration_ns");
  }
}

void EventFold::take_mount(const JsonValue& event) {
  JsonWriter writer;
  writer.begin_object();
  for (const char* key : {"layer", "source", "target", "fstype", "options"}) {
    writer.field(key, string_at(event, key));
  }
  mount_json_ = writer.end_object().text();
}

void EventFold::take_mark(const JsonValue& event) {
  job_.marks.push_back({string_at(event, "name"), string_at(event, "reason")});
  if (bool_at(event, "ends_job")) {
    ended_by_ = job_.marks.back().name + ": " + job_.marks.back().reason;
  }
}

void EventFold::take_log(const JsonValue& event) {
  const std::string level = string_at(event, "level");
  if (level == "debug" || level == "info") return;
  const bool in_phase = member_at(event, "phase") != nullptr;
  const std::string where = string_at(event, in_phase ? "phase" : "step");
  add_log(level, where.empty() ? "" : (in_phase ? "phase" : "step"), where,
          string_at(event, "text"));
}

void EventFold::take_quiesce(const JsonValue& event, FoldedPhase& owner) {
  const std::uint64_t duration_ns = uint_at(event, "duration_ns");
  if (!owner.ended) owner.quiesce_ns += duration_ns;
  if (!bool_at(event, "idle", true)) {
    add_log("warning", "phase", owner.name,
            "the members did not come to rest before a timed section (waited " +
                format_duration(duration_ns) + ")");
  }
}

void EventFold::take_cold(const JsonValue& event, const std::string& name) {
  if (bool_at(event, "backing_dropped", true)) return;
  const std::string reason = string_at(event, "reason");
  add_log("warning", "phase", name,
          "the cache below the members could not be dropped" +
              (reason.empty() ? reason : ": " + reason));
}

void EventFold::take_usage(const JsonValue& event, FoldedPhase& owner) {
  JsonWriter writer;
  writer.begin_object();
  for (const char* key :
       {"raw_bytes", "allocated_bytes", "used_bytes", "usable_bytes"}) {
    writer.key(key).raw(json_at(event, key, "null"));
  }
  writer.field("source", string_at(event, "source")).end_object();
  owner.usage_json = writer.text();
}

void EventFold::take_effective(const JsonValue& event) {
  const std::string name = string_at(event, "layer");
  const std::string key = string_at(event, "key");
  for (FoldedLayer& layer : layers_) {
    if (layer.name != name) continue;
    for (auto& [known, value] : layer.effective) {
      if (known != key) continue;
      value = json_at(event, "value", "null");
      return;
    }
    layer.effective.emplace_back(key, json_at(event, "value", "null"));
  }
}

void EventFold::take_version(const JsonValue& event) {
  const std::string component = string_at(event, "component");
  for (auto& [known, version] : versions_) {
    if (known != component) continue;
    version = string_at(event, "version");
    return;
  }
  versions_.emplace_back(component, string_at(event, "version"));
}

void EventFold::add_log(std::string level, std::string where_key,
                        std::string where, std::string text) {
  log_.push_back({std::move(level), std::move(where_key), std::move(where),
                  std::move(text)});
}

}  // namespace cowbench
