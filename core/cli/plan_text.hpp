// SPDX-License-Identifier: Apache-2.0
// A run's plan as `--dry-run` shows it.
#pragma once

#include <string>

#include "job/run_plan.hpp"

namespace cowbench {

// `guests`: how the guests of the run are run; empty without any.
std::string plan_text(const RunPlan& plan, const std::string& guests);
std::string plan_json(const RunPlan& plan);

}  // namespace cowbench
