// SPDX-License-Identifier: Apache-2.0
// The second half of the fold: settling what is open, and writing.
#include <algorithm>

#include "result/event_fold.hpp"
#include "result/statistics.hpp"

namespace cowbench {

namespace {

std::uint64_t since(std::uint64_t start_ns, std::uint64_t end_ns) {
  return end_ns > start_ns ? end_ns - start_ns : 0;
}

// The reason of what is ok is null.
void write_outcome(JsonWriter& writer, Outcome outcome,
                   const std::string& reason) {
  writer.field("outcome", outcome_text(outcome)).key("reason");
  if (outcome == Outcome::kOk) {
    writer.null();
  } else {
    writer.value(reason);
  }
}

void write_number(JsonWriter& writer, const char* key,
                  std::optional<double> number) {
  writer.key(key);
  if (number) {
    writer.value(*number);
  } else {
    writer.null();
  }
}

void write_spread(JsonWriter& writer, const Metric& metric) {
  writer.key("spread");
  const std::optional<Statistics> statistics = describe(metric.samples);
  if (!statistics || statistics->n < 2) {
    writer.null();
    return;
  }
  writer.begin_object()
      .field("minimum", statistics->minimum)
      .field("maximum", statistics->maximum)
      .field("mad", statistics->mad)
      .end_object();
}

void write_metric(JsonWriter& writer, const FoldedMetric& folded) {
  const Metric& metric = folded.metric;
  writer.begin_object()
      .field("key", metric.key)
      .field("label", metric.label)
      .field("unit", metric.unit)
      .field("better", metric.better)
      .field("definition", metric.definition)
      .field("method", metric.method)
      .field("detail", metric.detail);
  write_outcome(writer, metric.outcome, metric.reason);
  write_number(writer, "value", metric.value);
  writer.field("n", metric.n).field("observations", metric.observations);
  write_spread(writer, metric);
  writer.key("samples").begin_array();
  for (const double sample : metric.samples) writer.value(sample);
  writer.end_array();
  writer.key("conditions").raw(folded.conditions_json).end_object();
}

// Bytes that reached the members per byte that the workload wrote, over the
// timed sections whose metrics state both. Nothing is invented for the rest.
std::optional<double> write_amplification(const FoldedPhase& phase) {
  double by_members = 0.0;
  double by_workload = 0.0;
  for (const FoldedMetric& folded : phase.metrics) {
    const std::optional<WrittenBytes> bytes = written_bytes(folded.metric);
    if (!bytes) continue;
    by_members += static_cast<double>(bytes->by_members);
    by_workload += static_cast<double>(bytes->by_workload);
  }
  if (by_workload == 0.0) return std::nullopt;
  return by_members / by_workload;
}

}  // namespace

std::string EventFold::finish() {
  end_job();
  for (FoldedPhase& phase : phases_) settle_phase(phase);

  JsonWriter writer;
  writer.begin_object();
  write_head(writer);
  writer.key("environment").raw(environment_json_);
  write_guest(writer);
  writer.key("versions").begin_object();
  for (const auto& [component, version] : versions_) {
    writer.field(component, version);
  }
  writer.end_object();
  write_stack(writer);
  writer.key("profile").begin_object();
  writer.key("document").raw(profile_document_json_);
  writer.key("overrides").raw(overrides_json_).end_object();
  writer.key("members").raw(members_json_);
  writer.key("phases").begin_array();
  for (const FoldedPhase& phase : phases_) write_phase(writer, phase);
  writer.end_array();
  write_log(writer);
  writer.key("left_over").raw(left_over_json_);
  return writer.end_object().text();
}

// The boot comes later than the facts, and may never come.
void EventFold::write_guest(JsonWriter& writer) const {
  writer.key("guest");
  const auto guest = parse_json(guest_json_);
  if (!guest || !guest->IsObject()) {
    writer.null();
    return;
  }
  writer.begin_object();
  for (const auto& fact : guest->GetObject()) {
    writer.field(fact.name.GetString(), fact.value);
  }
  writer.key("boot_ns");
  if (boot_ns_) {
    writer.value(*boot_ns_);
  } else {
    writer.null();
  }
  writer.end_object();
}

// Without a job-end the job ended, as far as anybody knows, at its last event.
void EventFold::end_job() {
  if (!has_end_) {
    job_.outcome = Outcome::kInterrupted;
    job_.reason =
        "the event log has no job-end: the run was killed, the machine went "
        "down, or it is still running";
    job_.duration_ns = last_at_ns_;
  }
  for (FoldedStep& step : steps_) {
    if (!step.running) continue;
    step.running = false;
    step.duration_ns += since(step.started_at_ns, last_at_ns_);
  }
}

void EventFold::settle_phase(FoldedPhase& phase) const {
  if (!phase.ended && phase.started) {
    phase.outcome = Outcome::kInterrupted;
    phase.reason = has_end_
                       ? "the job ended while this phase ran: " + job_.reason
                       : "the job was interrupted while this phase ran";
    phase.duration_ns = since(phase.started_at_ns, last_at_ns_);
  } else if (!phase.ended && !phase.requested) {
    phase.outcome = Outcome::kNotRequested;
    phase.reason = "left out of this run";
  } else if (!phase.ended && !ended_by_.empty()) {
    phase.outcome = Outcome::kNotAvailable;
    phase.reason = "not run, as the job ended early: " + ended_by_;
  } else if (!phase.ended) {
    const bool interrupted = job_.outcome == Outcome::kInterrupted;
    phase.outcome = interrupted ? Outcome::kInterrupted : Outcome::kFailed;
    phase.reason = interrupted ? "the job was interrupted before this phase"
                   : job_.outcome == Outcome::kFailed
                       ? "not run, as the job failed: " + job_.reason
                       : "the phase was never started";
  }
  for (FoldedMetric& folded : phase.metrics) {
    if (folded.emitted) continue;
    folded.metric.outcome = phase.outcome;
    folded.metric.reason = phase.reason;
    if (phase.outcome != Outcome::kOk) continue;
    folded.metric.outcome = Outcome::kFailed;
    folded.metric.reason = "the phase ended without a value";
  }
}

std::uint64_t EventFold::step_ns(std::string_view name) const {
  for (const FoldedStep& step : steps_) {
    if (step.name == name) return step.duration_ns;
  }
  return 0;
}

TimeSplit EventFold::split_time() const {
  TimeSplit time;
  time.prepare_ns = step_ns("prepare");
  time.assemble_ns = step_ns("assemble");
  time.teardown_ns = step_ns("teardown");
  for (const FoldedPhase& phase : phases_) {
    const std::uint64_t quiesce_ns =
        std::min(phase.quiesce_ns, phase.duration_ns);
    time.quiesce_ns += quiesce_ns;
    time.phases_ns += phase.duration_ns - quiesce_ns;
  }
  time.other_ns = since(time.prepare_ns + time.assemble_ns + time.teardown_ns +
                            time.phases_ns + time.quiesce_ns,
                        job_.duration_ns);
  return time;
}

void EventFold::write_head(JsonWriter& writer) const {
  writer.field("schema", kResultSchema)
      .field("schema_version", kResultSchemaVersion)
      .field("cowbench_version", cowbench_version_);
  writer.key("run")
      .begin_object()
      .field("id", run_.id)
      .field("label", run_.label)
      .field("seed", run_.seed)
      .field("order", run_.order)
      .field("jobs", run_.jobs)
      .end_object();
  writer.key("job")
      .begin_object()
      .field("id", job_.id)
      .field("stack", job_.stack)
      .field("family", job_.family)
      .field("class", job_.stack_class)
      .field("profile", job_.profile)
      .field("repetition", job_.repetition);
  write_outcome(writer, job_.outcome, job_.reason);
  writer.field("started_at", job_.started_at)
      .field("duration_ns", job_.duration_ns);
  writer.key("marks").begin_array();
  for (const Mark& mark : job_.marks) {
    writer.begin_object()
        .field("name", mark.name)
        .field("reason", mark.reason)
        .end_object();
  }
  writer.end_array().end_object();
  const TimeSplit time = split_time();
  writer.key("time")
      .begin_object()
      .field("prepare_ns", time.prepare_ns)
      .field("assemble_ns", time.assemble_ns)
      .field("phases_ns", time.phases_ns)
      .field("quiesce_ns", time.quiesce_ns)
      .field("teardown_ns", time.teardown_ns)
      .field("other_ns", time.other_ns)
      .end_object();
}

void EventFold::write_stack(JsonWriter& writer) const {
  writer.key("stack").begin_object();
  writer.key("document").raw(stack_document_json_);
  writer.key("layers").begin_array();
  for (const FoldedLayer& layer : layers_) {
    writer.begin_object()
        .field("name", layer.name)
        .field("plugin", layer.plugin)
        .field("version", layer.version);
    writer.key("options").raw(layer.options_json);
    writer.key("effective").begin_object();
    for (const auto& [key, value] : layer.effective) writer.key(key).raw(value);
    writer.end_object().end_object();
  }
  writer.end_array();
  writer.key("mount").raw(mount_json_).end_object();
}

void EventFold::write_phase(JsonWriter& writer,
                            const FoldedPhase& phase) const {
  writer.begin_object()
      .field("name", phase.name)
      .field("plugin", phase.plugin)
      .field("version", phase.version)
      .field("stage", phase.stage);
  writer.key("options").raw(phase.options_json);
  write_outcome(writer, phase.outcome, phase.reason);
  writer.field("duration_ns", phase.duration_ns)
      .field("quiesce_ns", phase.quiesce_ns);
  writer.key("accounting").raw(phase.accounting_json);
  writer.key("usage").raw(phase.usage_json);
  write_number(writer, "write_amplification", write_amplification(phase));
  writer.key("metrics").begin_array();
  for (const FoldedMetric& metric : phase.metrics) write_metric(writer, metric);
  writer.end_array().end_object();
}

void EventFold::write_log(JsonWriter& writer) const {
  writer.key("log").begin_array();
  for (const FoldedLog& line : log_) {
    writer.begin_object().field("level", line.level);
    if (!line.where_key.empty()) writer.field(line.where_key, line.where);
    writer.field("text", line.text).end_object();
  }
  writer.end_array();
}

}  // namespace cowbench
