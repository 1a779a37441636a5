// SPDX-License-Identifier: Apache-2.0
// What the keys of published results mean: such documents hold bare numbers, so
// labels, units and directions come from a file (configs/metrics/).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// From the run after this one on a metric was measured in another way.
struct MethodChange {
  std::uint64_t after_run = 0;
  std::string why;
  std::string only;  // configurations whose id holds this text; empty: all
};

struct PublishedMetric {
  enum class Kind { kNumber, kFlag, kSeries };
  std::string key;
  Kind kind = Kind::kNumber;
  std::string label;
  std::string unit;
  std::string better;
  std::string group;  // its label
  std::string definition;
  std::string axis;    // kSeries: what its values are numbered by
  std::string needs;   // an ability; empty: none
  std::string absent;  // why it may be null, as "withheld: reason"
  std::string zero;    // why 0 is no value but a failure; empty: it is one
  std::vector<std::string> words;  // kFlag: for false, for true
  bool detail = false;
  std::vector<MethodChange> changes;
};

struct PublishedMetrics {
  std::string source;  // whom the facts are owed to
  // How many of the newest runs a current figure is made of.
  std::size_t current_runs = 20;
  // The changes of methods concern runs on these devices.
  std::string numbered_runs;
  std::map<std::string, std::string> abilities;  // in words
  std::map<std::string, std::string> classes;    // by configuration
  std::map<std::string, std::set<std::string>> can;
  std::vector<PublishedMetric> metrics;  // in the order of reports
};

// Reads the file. One message with what is wrong with it, otherwise.
Result<PublishedMetrics> parse_published_metrics(std::string_view json);

}  // namespace cowbench
