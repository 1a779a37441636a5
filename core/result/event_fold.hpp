// SPDX-License-Identifier: Apache-2.0
// What fold_events() gathers while it walks through a log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "result/document.hpp"

namespace cowbench {

constexpr std::int64_t kEventsVersion = 1;

// Texts named ..._json hold one complete JSON value; "null" when nothing is
// known.
struct FoldedMetric {
  Metric metric;
  bool emitted = false;
  std::string conditions_json = "{}";
};

struct FoldedPhase {
  std::string name;
  std::string plugin;
  std::string version;
  std::string stage = "on-stack";
  std::string options_json = "{}";
  bool requested = true;
  bool started = false;
  bool ended = false;
  std::uint64_t started_at_ns = 0;
  Outcome outcome = Outcome::kFailed;
  std::string reason;
  std::uint64_t duration_ns = 0;
  std::uint64_t quiesce_ns = 0;
  std::string accounting_json = "null";
  std::string usage_json = "null";
  std::vector<FoldedMetric> metrics;
};

struct FoldedStep {
  std::string name;
  bool running = false;
  std::uint64_t started_at_ns = 0;
  std::uint64_t duration_ns = 0;  // of all its ended runs
};

struct FoldedLayer {
  std::string name;
  std::string plugin;
  std::string version;
  std::string options_json = "{}";
  std::vector<std::pair<std::string, std::string>> effective;
};

// Takes events in the order of the log, then answers the whole.
class EventFold {
 public:
  // Adds one event. Errors: a job-start of a newer log format.
  Status apply(const JsonValue& event);
  // Adds a line to the result's own log.
  void warn(std::string text);
  bool has_job_start() const { return has_start_; }
  // Settles everything that is still open and writes the document, compact.
  // Call it once, after the last event.
  std::string finish();

 private:
  Status start_job(const JsonValue& event);
  void add_phase(const JsonValue& json);
  void take_version(const JsonValue& event);
  void take_effective(const JsonValue& event);
  void take_mount(const JsonValue& event);
  void take_step(const JsonValue& event, bool start);
  void take_log(const JsonValue& event);
  void take_mark(const JsonValue& event);
  void apply_to_phase(const std::string& type, const JsonValue& event,
                      const std::string& name);
  void take_quiesce(const JsonValue& event, FoldedPhase& owner);
  void take_cold(const JsonValue& event, const std::string& name);
  void take_metric(const JsonValue& event, FoldedPhase& owner);
  void take_usage(const JsonValue& event, FoldedPhase& owner);
  void end_phase(const JsonValue& event, FoldedPhase& ended);
  void add_log(std::string level, std::string where_key, std::string where,
               std::string text);
  FoldedPhase& phase(const std::string& name);

  void end_job();
  void settle_phase(FoldedPhase& phase) const;
  TimeSplit split_time() const;
  std::uint64_t step_ns(std::string_view name) const;

  void write_head(JsonWriter& writer) const;
  void write_guest(JsonWriter& writer) const;
  void write_stack(JsonWriter& writer) const;
  void write_phase(JsonWriter& writer, const FoldedPhase& phase) const;
  void write_log(JsonWriter& writer) const;

  struct FoldedLog {
    std::string level;
    std::string where_key;  // "phase", "step", or empty
    std::string where;
    std::string text;
  };

  bool has_start_ = false;
  bool has_end_ = false;
  std::uint64_t last_at_ns_ = 0;
  std::string cowbench_version_;
  RunRecord run_;
  JobRecord job_;
  std::string stack_document_json_ = "null";
  std::string profile_document_json_ = "null";
  std::string overrides_json_ = "{}";
  std::string environment_json_ = "null";
  std::string guest_json_ = "null";
  std::optional<std::uint64_t> boot_ns_;  // of the guest
  std::string members_json_ = "[]";
  std::string mount_json_ = "null";
  std::string left_over_json_ = "[]";
  std::string ended_by_;  // the mark that ended the job early
  std::vector<std::pair<std::string, std::string>> versions_;
  std::vector<FoldedLayer> layers_;
  std::vector<FoldedStep> steps_;
  std::vector<FoldedPhase> phases_;
  std::vector<FoldedLog> log_;
};

}  // namespace cowbench
