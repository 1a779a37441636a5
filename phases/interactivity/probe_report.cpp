// SPDX-License-Identifier: Apache-2.0
#include "probe_report.hpp"

#include <cstdint>

#include "workloads/quantile.hpp"

namespace cowbench::interactivity {

namespace {

double ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace

std::vector<Value> latency_values(const std::string& prefix,
                                  const workloads::ProbeResult& result,
                                  const workloads::Conditions& conditions) {
  Value common;
  common.conditions = conditions;
  common.observations = result.latency_ns.size();
  for (const std::uint64_t ns : result.latency_ns) {
    common.samples.push_back(ms(ns));
  }
  std::vector<double> all = common.samples;
  for (const std::uint64_t ns : result.missed_at_least_ns) {
    all.push_back(ms(ns));
  }
  if (result.missed > 0) {
    common.conditions.emplace_back("lower_bound",
                                   std::to_string(result.missed) + " of " +
                                       std::to_string(result.intended) +
                                       " writes never began within the window");
  }

  std::vector<Value> values;
  for (const auto& [name, percent] :
       {std::pair{"_p50_ms", 50.0}, {"_p99_ms", 99.0}, {"_max_ms", 100.0}}) {
    Value value = common;
    value.key = prefix + name;
    value.value = *workloads::percentile(all, percent);
    if (percent == 99.0 && result.latency_ns.size() < kLeastForP99) {
      value.outcome = COWBENCH_OUTCOME_WITHHELD;
      value.reason = "only " + std::to_string(result.latency_ns.size()) +
                     " writes; a 99th percentile needs " +
                     std::to_string(kLeastForP99);
    }
    values.push_back(std::move(value));
  }
  return values;
}

double starvation_ratio(const workloads::ProbeResult& result) {
  if (result.intended == 0) return 0;
  return static_cast<double>(result.intended - result.completed) /
         static_cast<double>(result.intended);
}

}  // namespace cowbench::interactivity
