// SPDX-License-Identifier: Apache-2.0
// The plan of one job: all that a worker needs, here or in another machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "config/profile.hpp"
#include "config/stack.hpp"
#include "device/member.hpp"
#include "plugin/catalog.hpp"

namespace cowbench {

// Of a job that runs in a virtual machine.
struct GuestPlan {
  std::string name;       // of the guest; empty: the job runs on this machine
  bool emulated = false;  // its processors are
  // Modules that building the guest could not get, with the reason.
  std::map<std::string, std::string> not_built;
};

struct JobPlan {
  std::string run_id;
  std::string run_label;
  std::string job_id;  // unique; also the tag of the job's processes
  std::string started_at;
  std::uint64_t seed = 0;
  std::uint32_t repetition = 1;
  std::uint32_t order = 0;  // position in the run
  std::uint32_t jobs = 1;   // of the run

  Stack stack;
  Profile profile;  // its phases are those to run, in order
  std::vector<std::pair<std::string, std::string>> overrides;  // --set
  // Phases of the profile that --phases or --skip left out.
  std::vector<std::string> skipped_phases;
  std::vector<MemberPlan> members;

  std::string ledger_path;
  std::string image_folder;   // of the members' images
  std::string run_folder;     // mount points
  std::string result_folder;  // plan.json, events.jsonl, raw/
  PluginSearch plugins;
  GuestPlan guest;

  bool in_guest() const { return !guest.name.empty(); }
  std::string mount_point() const { return run_folder + "/mnt"; }
  std::string memory_folder() const { return run_folder + "/memory"; }
  std::string artifact_folder() const { return result_folder + "/raw"; }

  // As JSON, for plan.json; read() needs the vocabulary of loaded plugins and
  // so answers the very plan that was written.
  std::string json() const;
  static Result<JobPlan> read(std::string_view json, const Catalog& catalog);
  // The part that says which plugins to load; enough to make the catalogue.
  static Result<PluginSearch> read_search(std::string_view json);
};

// The `job-start` event: the plan as the result will show it.
std::string job_start_event(const JobPlan& plan, const Catalog& catalog,
                            const std::string& product_version);

// A metric's declaration as events and results show it.
void write_metric(JsonWriter& json, const MetricSpec& metric);

// select_phases() on the plan's profile; names of the profile's list that are
// left out go to skipped_phases.
Problems choose_phases(JobPlan& plan, const std::vector<std::string>& only,
                       const std::vector<std::string>& skip);

}  // namespace cowbench
