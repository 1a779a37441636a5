// SPDX-License-Identifier: Apache-2.0
// Which results a person means by a word.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "result/document.hpp"

namespace cowbench {

struct Selection {
  std::string name;  // "stack mirror-a in cowbench-results"
  std::vector<ResultDocument> documents;  // at least one
};

// A path of results, or, among the results below `store`: a stack (or its
// published id with a slash), a run's id or the beginning of one, a kernel or a
// label. "stack=x", "run=x", "kernel=x", "label=x" and "path=x" say which.
// kUsage: nothing of that name, with what there is, or several kinds; and the
// reason of each file that cannot be read.
Result<Selection> select_results(const std::string& word,
                                 const std::string& store);

}  // namespace cowbench
