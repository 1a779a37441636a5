// SPDX-License-Identifier: Apache-2.0
// From what the user asked for to the jobs of a run, with every reason why
// they cannot be run. Touches nothing and needs no root.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "config/library.hpp"
#include "job/plan.hpp"

namespace cowbench {

struct RunRequest {
  std::vector<std::string> stacks;
  std::string profile;
  std::vector<std::pair<std::string, std::string>> overrides;  // --set
  std::vector<std::string> phases, skip;
  std::uint32_t repeat = 1;
  std::string label;
  std::uint64_t seed = 0;
  // Real devices by group, what of them may be wiped, and how much to use.
  std::map<std::string, std::vector<std::string>> devices;
  std::vector<std::string> wipe;
  std::uint64_t member_limit_bytes = 0;
  // Every job runs once in each of these; none: on this machine.
  std::vector<GuestPlan> guests;
  std::string state_folder, work_folder, results_folder;
};

// What one phase will do.
struct PhaseEstimate {
  std::string phase;
  bool before_stack = false;
  std::uint64_t written_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t duration_ns = 0;
};

// What the plan says of one stack, the same for each repetition.
struct StackPreview {
  std::string stack;
  std::vector<MemberPlan> members;
  std::vector<std::string> commands;  // as a person would type them
  std::vector<PhaseEstimate> phases;
  std::uint64_t image_bytes = 0;       // apparent size of all images
  std::uint64_t worst_case_bytes = 0;  // most that they can take up
  std::uint64_t written_bytes = 0;     // by the workloads
  std::uint64_t duration_ns = 0;
};

struct RunPlan {
  std::string run_id;
  std::string label;
  std::uint64_t seed = 0;
  std::vector<JobPlan> jobs;  // in the order in which they run
  std::vector<StackPreview> previews;
  // The store that the images lie on.
  std::string store_path, store_type;
  bool store_in_memory = false;
  std::uint64_t store_available_bytes = 0;
  std::uint64_t duration_ns = 0;

  // Why it cannot be run; all of them. Usage: the request is wrong.
  // Environment: this machine lacks something.
  Problems usage;
  std::vector<std::string> environment;

  bool runnable() const { return usage.empty() && environment.empty(); }
};

RunPlan make_run_plan(const RunRequest& request, const Catalog& catalog,
                      const PluginSearch& plugins,
                      const ConfigLibrary& library);

// Asks the plugins of a job, in a process of their own, for problems, commands
// and estimates.
Status preview_job(const JobPlan& job, StackPreview& preview,
                   Problems& problems);

}  // namespace cowbench
