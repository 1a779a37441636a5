// SPDX-License-Identifier: Apache-2.0
#include "interactivity.hpp"

#include <algorithm>
#include <string>

#include "probe_report.hpp"
#include "workloads/clock.hpp"
#include "workloads/flood.hpp"
#include "workloads/latency_probe.hpp"
#include "workloads/section.hpp"

namespace cowbench {

using workloads::elapsed_ns;
using workloads::Flood;
using workloads::ProbeFile;
using workloads::ProbeResult;
using workloads::ProbeSchedule;

namespace {

// A guess, for the plan: what a stream may write on a fast device.
constexpr std::uint64_t kFloodBytesPerSecond = std::uint64_t{512} << 20;

ProbeSchedule schedule_from_now(const Host& host, const char* window_key) {
  ProbeSchedule schedule;
  schedule.start_ns = workloads::monotonic_ns();
  schedule.period_ns = host.amount("period");
  schedule.window_ns = host.amount(window_key);
  return schedule;
}

workloads::Conditions conditions_of(const Host& host, const char* window_key,
                                    const ProbeResult& result) {
  return {{"period_ns", std::to_string(host.amount("period"))},
          {"window_ns", std::to_string(host.amount(window_key))},
          {"intended", std::to_string(result.intended)}};
}

// A window in which not even the first write began has nothing to tell.
void require_begun(const Host& host, const ProbeResult& result) {
  host.throw_if_stopped();
  if (!result.latency_ns.empty()) return;
  throw Error(COWBENCH_TIMEOUT,
              "no write to " + host.directory() + " began within the window");
}

}  // namespace

Estimate InteractivityPhase::estimate() {
  const std::uint64_t idle_ns = host().amount("idle_time");
  const std::uint64_t load_ns = host().amount("load_time");
  Estimate estimate;
  estimate.peak_bytes = host().amount("flood_size") + 2 * ProbeFile::kBytes;
  estimate.written_bytes = load_ns / 1'000'000'000 * kFloodBytesPerSecond;
  // The drain of what the stream has left in memory comes on top.
  estimate.duration_ns = idle_ns + load_ns + 10'000'000'000;
  return estimate;
}

void InteractivityPhase::run() {
  host().progress(0, "idle");
  probe_idle();
  host().progress(0.3, "under a stream");
  probe_under_load();
}

void InteractivityPhase::probe_idle() {
  ProbeFile file(host().directory() + "/idle", host().seed());
  const auto actions = file.actions([this] { return host().should_stop(); });
  ProbeResult result;
  workloads::run_section(host(), "idle", [&] {
    const ProbeSchedule schedule = schedule_from_now(host(), "idle_time");
    return elapsed_ns([&] { result = run_probe(schedule, actions); });
  });
  require_begun(host(), result);
  for (const Value& value : interactivity::latency_values(
           "interactive_idle", result,
           conditions_of(host(), "idle_time", result))) {
    host().emit(value);
  }
}

void InteractivityPhase::probe_under_load() {
  ProbeFile file(host().directory() + "/load", host().seed() + 1);
  Flood flood(host().directory() + "/flood", host().amount("flood_size"),
              host().seed() + 2);
  const auto actions = file.actions([this] { return host().should_stop(); });
  ProbeResult result;
  workloads::run_section(host(), "load", [&] {
    const ProbeSchedule schedule = schedule_from_now(host(), "load_time");
    flood.start(schedule.start_ns + schedule.window_ns);
    return elapsed_ns([&] {
      result = run_probe(schedule, actions);
      flood.stop();
    });
  });
  require_begun(host(), result);

  auto conditions = conditions_of(host(), "load_time", result);
  conditions.emplace_back("flood_bytes", std::to_string(flood.bytes_written()));
  for (const Value& value :
       interactivity::latency_values("interactive_load", result, conditions)) {
    host().emit(value);
  }
  const auto emit = [&](const char* key, double figure) {
    Value value;
    value.key = key;
    value.value = figure;
    value.conditions = conditions;
    value.observations = result.intended;
    host().emit(value);
  };
  emit("interactive_load_ops", static_cast<double>(result.completed));
  emit("interactive_starvation_ratio", interactivity::starvation_ratio(result));
  emit("interactive_load_write_max_ms",
       static_cast<double>(
           *std::max_element(result.write_ns.begin(), result.write_ns.end())) /
           1e6);
}

}  // namespace cowbench
