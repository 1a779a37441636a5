// SPDX-License-Identifier: Apache-2.0
#include "result/document.hpp"

#include <tuple>
#include <utility>

namespace cowbench {

namespace {

const JsonValue& at(const JsonValue& object, const char* key) {
  static const JsonValue kNothing;
  const JsonValue* found = member_at(object, key);
  return found == nullptr ? kNothing : *found;
}

// Calls `read` with each element; anything but an array has none.
template <typename F>
void each(const JsonValue& array, F read) {
  if (!array.IsArray()) return;
  for (const JsonValue& item : array.GetArray()) read(item);
}

std::optional<double> number_at(const JsonValue& object, const char* key) {
  const JsonValue& value = at(object, key);
  if (!value.IsNumber()) return std::nullopt;
  return value.GetDouble();
}

std::pair<Outcome, std::string> judgement_of(const JsonValue& json) {
  return judge(string_at(json, "outcome"), string_at(json, "reason"));
}

Metric read_metric(const JsonValue& json) {
  Metric metric;
  metric.key = string_at(json, "key");
  metric.label = string_at(json, "label", metric.key);
  metric.unit = string_at(json, "unit");
  metric.better = string_at(json, "better", "neither");
  metric.definition = string_at(json, "definition");
  metric.method = uint_at(json, "method");
  metric.detail = bool_at(json, "detail");
  std::tie(metric.outcome, metric.reason) = judgement_of(json);
  metric.value = number_at(json, "value");
  metric.n = uint_at(json, "n");
  metric.observations = uint_at(json, "observations");
  if (const JsonValue& spread = at(json, "spread"); spread.IsObject()) {
    metric.spread =
        Spread{double_at(spread, "minimum"), double_at(spread, "maximum"),
               double_at(spread, "mad")};
  }
  each(at(json, "samples"), [&](const JsonValue& sample) {
    if (sample.IsNumber()) metric.samples.push_back(sample.GetDouble());
  });
  if (const JsonValue& all = at(json, "conditions"); all.IsObject()) {
    for (const auto& one : all.GetObject()) {
      metric.conditions.emplace_back(one.name.GetString(),
                                     plain_text(one.value));
    }
  }
  if (metric.outcome == Outcome::kOk && !metric.value) {
    metric.outcome = Outcome::kFailed;
    metric.reason = "ok, but without a value";
  }
  return metric;
}

PhaseRecord read_phase(const JsonValue& json) {
  PhaseRecord phase{};
  phase.name = string_at(json, "name");
  phase.plugin = string_at(json, "plugin");
  phase.version = string_at(json, "version");
  phase.stage = string_at(json, "stage");
  phase.options = &at(json, "options");
  std::tie(phase.outcome, phase.reason) = judgement_of(json);
  phase.duration_ns = uint_at(json, "duration_ns");
  phase.quiesce_ns = uint_at(json, "quiesce_ns");
  phase.accounting = &at(json, "accounting");
  phase.usage = &at(json, "usage");
  phase.write_amplification = number_at(json, "write_amplification");
  each(at(json, "metrics"), [&](const JsonValue& metric) {
    phase.metrics.push_back(read_metric(metric));
  });
  return phase;
}

RunRecord read_run(const JsonValue& json) {
  RunRecord run;
  run.id = string_at(json, "id");
  run.label = string_at(json, "label");
  run.seed = uint_at(json, "seed");
  run.order = uint_at(json, "order");
  run.jobs = uint_at(json, "jobs");
  return run;
}

JobRecord read_job(const JsonValue& json) {
  JobRecord job;
  job.id = string_at(json, "id");
  job.stack = string_at(json, "stack");
  job.family = string_at(json, "family");
  job.stack_class = string_at(json, "class");
  job.profile = string_at(json, "profile");
  job.repetition = uint_at(json, "repetition", 1);
  std::tie(job.outcome, job.reason) = judgement_of(json);
  job.started_at = string_at(json, "started_at");
  job.duration_ns = uint_at(json, "duration_ns");
  each(at(json, "marks"), [&](const JsonValue& mark) {
    job.marks.push_back({string_at(mark, "name"), string_at(mark, "reason")});
  });
  return job;
}

TimeSplit read_time(const JsonValue& json) {
  TimeSplit time;
  time.prepare_ns = uint_at(json, "prepare_ns");
  time.assemble_ns = uint_at(json, "assemble_ns");
  time.phases_ns = uint_at(json, "phases_ns");
  time.quiesce_ns = uint_at(json, "quiesce_ns");
  time.teardown_ns = uint_at(json, "teardown_ns");
  time.other_ns = uint_at(json, "other_ns");
  return time;
}

void read_stack(const JsonValue& json, ResultDocument& document) {
  document.stack_document = &at(json, "document");
  document.mount = &at(json, "mount");
  each(at(json, "layers"), [&](const JsonValue& layer) {
    document.layers.push_back({string_at(layer, "name"),
                               string_at(layer, "plugin"),
                               string_at(layer, "version"),
                               &at(layer, "options"), &at(layer, "effective")});
  });
}

Status check_schema(const JsonValue& json) {
  if (string_at(json, "schema") != kResultSchema) {
    return Error(Category::kUsage,
                 "not a cowbench result: \"schema\" is not \"" +
                     std::string(kResultSchema) + "\"");
  }
  const std::int64_t version = int_at(json, "schema_version");
  if (version < 1 || version > kResultSchemaVersion) {
    return Error(Category::kUsage,
                 "result schema version " + std::to_string(version) +
                     " is not one that this program reads (1 to " +
                     std::to_string(kResultSchemaVersion) +
                     "): use the version of cowbench that wrote it, or newer");
  }
  if (string_at(at(json, "job"), "stack").empty()) {
    return Error(Category::kUsage, "the result names no stack (/job/stack)");
  }
  return {};
}

}  // namespace

Result<ResultDocument> parse_document(std::string_view text) {
  Result<JsonDocument> parsed = parse_json(text);
  if (!parsed) return parsed.error();
  const auto json = std::make_shared<const JsonDocument>(std::move(*parsed));
  if (Status schema = check_schema(*json); !schema) return schema.error();

  ResultDocument document{};
  document.json = json;
  document.cowbench_version = string_at(*json, "cowbench_version");
  document.run = read_run(at(*json, "run"));
  document.job = read_job(at(*json, "job"));
  document.time = read_time(at(*json, "time"));
  document.environment = &at(*json, "environment");
  document.guest = &at(*json, "guest");
  document.versions = &at(*json, "versions");
  read_stack(at(*json, "stack"), document);
  document.profile_document = &at(at(*json, "profile"), "document");
  document.overrides = &at(at(*json, "profile"), "overrides");
  document.members = &at(*json, "members");
  each(at(*json, "phases"), [&](const JsonValue& phase) {
    document.phases.push_back(read_phase(phase));
  });
  each(at(*json, "log"), [&](const JsonValue& line) {
    document.log.push_back({string_at(line, "level"),
                            string_at(line, "phase", string_at(line, "step")),
                            string_at(line, "text")});
  });
  each(at(*json, "left_over"), [&](const JsonValue& object) {
    document.left_over.push_back(plain_text(object));
  });
  return document;
}

std::string plain_text(const JsonValue& value) {
  if (value.IsString()) {
    return std::string(value.GetString(), value.GetStringLength());
  }
  JsonWriter writer;
  writer.value(value);
  return writer.text();
}

const Metric* find_metric(const ResultDocument& document,
                          const std::string& phase, const std::string& key) {
  for (const PhaseRecord& record : document.phases) {
    if (record.name != phase) continue;
    for (const Metric& metric : record.metrics) {
      if (metric.key == key) return &metric;
    }
  }
  return nullptr;
}

}  // namespace cowbench
