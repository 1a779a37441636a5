// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/phase.hpp>

#include "fio/run.hpp"
#include "throughput/description.hpp"
#include "throughput/settings.hpp"

namespace cowbench::throughput {

// Streams and random I/O through the page cache, with fio; see README.md.
class Throughput : public Phase {
 public:
  using Phase::Phase;
  static constexpr PhaseInfo info() {
    return {{"org.cowbench.throughput", "throughput", "0.1.0",
             "sequential and random I/O through the page cache, with fio"},
            COWBENCH_STAGE_ON_STACK,
            kMetrics,
            kOptions,
            kRequirements};
  }

  Estimate estimate() override;
  void versions() override;
  void run() override;

 private:
  void write_stream(const Settings& settings);
  void write_randomly(const Settings& settings, const Series& series,
                      bool sharded);
  void read_randomly(const Settings& settings, const Series& series);
  void read_stream(const Settings& settings);

  void emit_flush_latency(const char* key, double percent,
                          const fio::Flushes& flushes);
  fio::Measurement read_cold(const fio::Request& request,
                             std::uint64_t expected_bytes);
  void emit_read(Value value, const fio::Measurement& measured) const;
  void not_requested(const std::string& key, const std::string& option) const;
};

}  // namespace cowbench::throughput
