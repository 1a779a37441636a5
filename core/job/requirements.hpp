// SPDX-License-Identifier: Apache-2.0
// Whether what plugins need is on this machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "job/plan.hpp"
#include "plugin/catalog.hpp"

namespace cowbench {

// One need and whether it is met. Needs no root and changes nothing.
struct RequirementState {
  RequirementSpec spec;
  bool met = false;
  std::string detail;  // where it was found, or what is missing and the remedy
};

RequirementState check_requirement(const RequirementSpec& spec);

// The unmet needs of a plugin, each with what brings it. Of a module in
// `not_built` the reason there is told instead.
std::vector<std::string> missing_requirements(
    const Plugin& plugin,
    const std::map<std::string, std::string>& not_built = {});

// Those of all plugins of a job, each once.
std::vector<std::string> missing_requirements(const JobPlan& job,
                                              const Catalog& catalog);

}  // namespace cowbench
