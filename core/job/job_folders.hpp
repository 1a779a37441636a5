// SPDX-License-Identifier: Apache-2.0
// The folders that a job works in.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "job/plan.hpp"
#include "ledger/ledger.hpp"

namespace cowbench {

// Makes them, each in the ledger before it exists, and mounts the memory
// folder. Without images plan.image_folder is cleared. Answers what is worth
// telling. An error also when one of them exists: it is not this job's.
Result<std::vector<std::string>> make_job_folders(JobPlan& plan,
                                                  Ledger& ledger);

}  // namespace cowbench
