// SPDX-License-Identifier: Apache-2.0
// The result of one job, as read from result.json.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "result/metric.hpp"

namespace cowbench {

constexpr std::string_view kResultSchema = "cowbench-result";
constexpr std::int64_t kResultSchemaVersion = 1;

struct RunRecord {
  std::string id;
  std::string label;
  std::uint64_t seed = 0;
  std::uint64_t order = 0;  // of this job in the run, from 0
  std::uint64_t jobs = 0;
};

struct Mark {
  std::string name;
  std::string reason;
};

struct JobRecord {
  std::string id;
  std::string stack;
  std::string family;
  std::string stack_class;
  std::string profile;
  std::uint64_t repetition = 1;
  Outcome outcome = Outcome::kFailed;
  std::string reason;
  std::string started_at;  // UTC
  std::uint64_t duration_ns = 0;
  std::vector<Mark> marks;
};

// Where the wall time of the job went; the parts add up to its duration.
struct TimeSplit {
  std::uint64_t prepare_ns = 0;
  std::uint64_t assemble_ns = 0;
  std::uint64_t phases_ns = 0;   // quiescing taken out
  std::uint64_t quiesce_ns = 0;  // waiting for idle members before sections
  std::uint64_t teardown_ns = 0;
  std::uint64_t other_ns = 0;
};

struct LayerRecord {
  std::string name;
  std::string plugin;
  std::string version;
  const JsonValue* options;    // object, or JSON null
  const JsonValue* effective;  // object: parameter -> value read back
};

struct PhaseRecord {
  std::string name;
  std::string plugin;
  std::string version;
  std::string stage;  // "before-stack", "on-stack"
  const JsonValue* options;
  Outcome outcome = Outcome::kFailed;
  std::string reason;
  std::uint64_t duration_ns = 0;
  std::uint64_t quiesce_ns = 0;
  const JsonValue* accounting;  // object, or JSON null
  const JsonValue* usage;       // object, or JSON null
  std::optional<double> write_amplification;
  std::vector<Metric> metrics;
};

struct LogLine {
  std::string level;
  std::string where;  // a phase or a step; may be empty
  std::string text;
};

// What reports compute with is typed; facts that are only shown stay JSON. The
// JSON pointers are never null (what is absent points to a JSON null) and live
// as long as `json`, which copies of a document share.
struct ResultDocument {
  std::shared_ptr<const JsonDocument> json;
  std::string cowbench_version;
  RunRecord run;
  JobRecord job;
  TimeSplit time;
  const JsonValue* environment;
  const JsonValue* guest;     // object, or JSON null: no guest
  const JsonValue* versions;  // object: component -> version
  const JsonValue* stack_document;
  std::vector<LayerRecord> layers;
  const JsonValue* mount;
  const JsonValue* profile_document;
  const JsonValue* overrides;  // object: setting -> text given by the user
  const JsonValue* members;    // array, or JSON null
  std::vector<PhaseRecord> phases;
  std::vector<LogLine> log;
  std::vector<std::string> left_over;
};

// The metric of that phase and key; nothing where the job has none. Lives as
// long as the document.
const Metric* find_metric(const ResultDocument& document,
                          const std::string& phase, const std::string& key);

// Reads the text of a result.json. Fields that this version does not know are
// ignored, so that a newer program's additions do no harm; another schema or a
// newer schema version is an error.
Result<ResultDocument> parse_document(std::string_view text);

// A JSON value as people read it: a string without quotes, else compact JSON.
std::string plain_text(const JsonValue& value);

}  // namespace cowbench
