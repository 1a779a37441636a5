// SPDX-License-Identifier: Apache-2.0
#include "calibration/processor.hpp"

#include <sched.h>

#include <vector>

#include "calibration/processor_loops.hpp"
#include "workloads/clock.hpp"
#include "workloads/crew.hpp"
#include "workloads/quantile.hpp"

namespace cowbench::calibration {
namespace {

constexpr int kTurns = 5;

unsigned usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

// Mops/s of `threads` threads together. About 0.1 s on a machine of 2020.
double mix_turn(unsigned threads, std::uint64_t seed) {
  constexpr std::uint64_t kSteps = 40'000'000;
  std::vector<std::uint64_t> results(threads);
  workloads::Crew crew(threads, [&](unsigned index) {
    results[index] = mix_chain(seed + index, kSteps);
  });
  const std::uint64_t begin = workloads::monotonic_ns();
  crew.run();
  const std::uint64_t took_ns = workloads::monotonic_ns() - begin;
  return static_cast<double>(kSteps * threads) * 1e3 /
         static_cast<double>(took_ns);
}

void emit_turns(const Host& host, const char* key, std::vector<double> samples,
                std::vector<std::pair<std::string, std::string>> conditions) {
  Value value;
  value.key = key;
  value.value = workloads::median(samples).value_or(0);
  value.samples = std::move(samples);
  value.conditions = std::move(conditions);
  host.emit(value);
}

void measure_mixing(const Host& host, const char* key, unsigned threads) {
  std::vector<double> samples;
  for (int turn = 0; turn < kTurns; ++turn) {
    host.throw_if_stopped();
    samples.push_back(mix_turn(threads, host.seed()));
  }
  emit_turns(host, key, std::move(samples),
             {{"threads", std::to_string(threads)}});
}

}  // namespace

void measure_processor(const Host& host) {
  measure_mixing(host, "calibration_cpu_score", 1);
  measure_mixing(host, "calibration_cpu_all_score", usable_cpus());
}

void measure_memory(const Host& host) {
  // Beyond the last-level cache that one core of today's machines can fill.
  constexpr std::size_t kBytes = std::size_t{128} << 20;
  // Written before the clock starts, so no turn pays for page faults.
  const std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes, 2);
  std::vector<double> samples;
  for (int turn = 0; turn < kTurns; ++turn) {
    host.throw_if_stopped();
    const std::uint64_t begin = workloads::monotonic_ns();
    copy_block(to.data(), from.data(), kBytes);
    const std::uint64_t took_ns = workloads::monotonic_ns() - begin;
    samples.push_back(static_cast<double>(kBytes) / 1048576.0 * 1e9 /
                      static_cast<double>(took_ns));
  }
  emit_turns(host, "calibration_memory_mbps", std::move(samples),
             {{"buffer_bytes", std::to_string(kBytes)}});
}

}  // namespace cowbench::calibration
