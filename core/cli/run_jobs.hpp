// SPDX-License-Identifier: Apache-2.0
// Running the jobs of a plan, telling of them on the way.
#pragma once

#include <cstdint>
#include <vector>

#include "job/run_plan.hpp"
#include "job/supervisor.hpp"

namespace cowbench {

struct RunJobs {
  const RunPlan& plan;
  const Catalog& catalog;
  WorkerHost& host;
  bool events = false;  // as lines of JSON on standard output
  std::uint32_t side_by_side = 1;
};

// How the jobs ended, in no order; those after a signal are missing. The error
// is that of a job that could not be started.
Result<std::vector<JobOutcome>> run_jobs(const RunJobs& jobs);

}  // namespace cowbench
