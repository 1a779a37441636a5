// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "workloads/latency_probe.hpp"
#include "workloads/section.hpp"

namespace cowbench::interactivity {

// Below this many writes a 99th percentile is withheld.
inline constexpr std::size_t kLeastForP99 = 20;

// Median, 99th percentile and maximum of the latencies of a probe that has at
// least one, with the keys
// `prefix` + "_p50_ms", "_p99_ms", "_max_ms". Writes that were due but never
// begun count with the time that they had waited at least; where there are
// any, the figures are lower bounds and a condition says so.
std::vector<Value> latency_values(const std::string& prefix,
                                  const workloads::ProbeResult& result,
                                  const workloads::Conditions& conditions);

// Share of the intended writes that were not durable when the window ended;
// 0 when none was intended.
double starvation_ratio(const workloads::ProbeResult& result);

}  // namespace cowbench::interactivity
