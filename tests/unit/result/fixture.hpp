// SPDX-License-Identifier: Apache-2.0
// Event logs for the tests: the stored ones, and single lines.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "result/document.hpp"
#include "result/fold.hpp"

namespace cowbench_test {

inline const std::vector<std::string> kLogs = {"ok", "interrupted", "torn",
                                               "failed-phase", "withheld"};

inline std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string log_of(const std::string& name) {
  return read(COWBENCH_FIXTURES "/results/" + name + "/events.jsonl");
}

inline cowbench::ResultDocument document_of(const std::string& log) {
  const auto text = cowbench::fold_events(log);
  if (!text) throw std::runtime_error(text.error().message());
  auto document = cowbench::parse_document(*text);
  if (!document) throw std::runtime_error(document.error().message());
  return *document;
}

inline const cowbench::PhaseRecord& phase_of(
    const cowbench::ResultDocument& document, const std::string& name) {
  for (const auto& phase : document.phases) {
    if (phase.name == name) return phase;
  }
  throw std::runtime_error("no phase " + name);
}

inline const cowbench::Metric& metric_of(
    const cowbench::ResultDocument& document, const std::string& phase,
    const std::string& key) {
  for (const auto& metric : phase_of(document, phase).metrics) {
    if (metric.key == key) return metric;
  }
  throw std::runtime_error("no metric " + key);
}

// The smallest plan: one phase "p" with the metric "m".
inline std::string small_start() {
  return R"({"type":"job-start","at_ns":0,"events_version":1,"stack":"s",)"
         R"("phases":[{"name":"p","requested":true,"stage":"on-stack",)"
         R"("metrics":[{"key":"m","unit":"ms","better":"lower",)"
         R"("label":"M","definition":"D","method":1,"detail":false}]}]})"
         "\n";
}

inline std::string small_end() {
  return R"({"type":"phase-end","at_ns":8,"phase":"p","outcome":"ok",)"
         R"("duration_ns":6,"quiesce_ns":1})"
         "\n"
         R"({"type":"job-end","at_ns":10,"outcome":"ok","duration_ns":10})"
         "\n";
}

}  // namespace cowbench_test
