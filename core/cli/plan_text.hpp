// SPDX-License-Identifier: Apache-2.0
// A run's plan as `--dry-run` shows it.
#pragma once

#include <string>

#include "job/run_plan.hpp"

namespace cowbench {

std::string plan_text(const RunPlan& plan);
std::string plan_json(const RunPlan& plan);

}  // namespace cowbench
