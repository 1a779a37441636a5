// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/phase.hpp>

namespace cowbench {

namespace interactivity {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_DURATION, "period", "200ms",
           "between the times at which writes are due; the published think "
           "time",
           1e6, 60e9),
    option(COWBENCH_TYPE_DURATION, "idle_time", "10s",
           "of the idle window; the published one, enough for a median", 1e6,
           3600e9),
    option(COWBENCH_TYPE_DURATION, "load_time", "30s",
           "of the window under load; the published one", 1e6, 3600e9),
    option(COWBENCH_TYPE_SIZE, "flood_size", "8GiB",
           "of the file that the streaming writer goes over; the published "
           "one, more than fits into the page cache of a small machine",
           1048576, 1099511627776.0),
};

inline constexpr cowbench_metric kMetrics[] = {
    metric("interactive_idle_p50_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Small durable write, idle, p50",
           "Median time from when a 4 KiB write was due until its fsync "
           "returned, with nothing else running."),
    metric("interactive_idle_p99_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Small durable write, idle, p99",
           "The 99th percentile of the same times; withheld below 20 writes."),
    metric("interactive_idle_max_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Small durable write, idle, worst", "The longest of these times."),
    metric("interactive_load_p50_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Small durable write under a stream, p50",
           "Median time from when a 4 KiB write was due until its fsync "
           "returned, while a streaming writer floods the filesystem."),
    metric("interactive_load_p99_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Small durable write under a stream, p99",
           "The 99th percentile of the same times; withheld below 20 writes."),
    metric("interactive_load_max_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Small durable write under a stream, worst",
           "The longest of these times."),
    metric("interactive_load_ops", "ops", COWBENCH_HIGHER_IS_BETTER,
           "Small durable writes done under a stream",
           "Writes whose fsync returned before the window ended."),
    metric("interactive_starvation_ratio", "ratio", COWBENCH_LOWER_IS_BETTER,
           "Starvation under a stream",
           "Share of the writes due within the window whose fsync had not "
           "returned when it ended: 0 none, 1 all."),
    metric("interactive_load_write_max_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Longest write call under a stream",
           "The longest that write alone blocked, its fsync not included.", 1,
           true),
};

}  // namespace interactivity

// A small durable write at a fixed rate, alone and beside a stream. Method:
// README.md.
class InteractivityPhase : public Phase {
 public:
  static constexpr PhaseInfo info() {
    PhaseInfo info{{"org.cowbench.interactivity", "interactivity", "0.1.0",
                    "small durable writes, idle and under a stream"}};
    info.metrics = interactivity::kMetrics;
    info.options = interactivity::kOptions;
    return info;
  }

  explicit InteractivityPhase(Host host) : Phase(host) {}

  Estimate estimate() override;
  void run() override;

 private:
  void probe_idle();
  void probe_under_load();
};

}  // namespace cowbench
