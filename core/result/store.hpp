// SPDX-License-Identifier: Apache-2.0
// Results on disk.
#pragma once

#include <string>
#include <vector>

#include "result/document.hpp"

namespace cowbench {

struct StoredResult {
  std::string path;  // of the file it was read from
  ResultDocument document;
};

struct UnreadableResult {
  std::string path;
  std::string reason;
};

struct ResultSet {
  std::vector<StoredResult> results;         // in the order of the paths given
  std::vector<UnreadableResult> unreadable;  // never left out in silence
};

// Loads the results that `paths` name: a result file, an event log, or a folder
// with either somewhere below it (a job, a run, a results directory). Below a
// folder the order is that of the names. A job whose result.json is missing or
// older than its events.jsonl is folded in memory; nothing is written. A
// result reached twice counts once.
ResultSet load_results(const std::vector<std::string>& paths);

}  // namespace cowbench
