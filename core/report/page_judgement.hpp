// SPDX-License-Identifier: Apache-2.0
// Verdicts and scores of published results, for the page.
#pragma once

#include <vector>

#include "report/page.hpp"

namespace cowbench {

// `entries` are the page's entries of these runs, by name.
void add_judgements(const std::vector<PublishedRun>& runs,
                    const ScoreModel& model,
                    const std::vector<std::size_t>& entries, Page& page);

}  // namespace cowbench
