// SPDX-License-Identifier: Apache-2.0
// What `run --vm` adds to `run`: options, guests, and how they are booted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "job/run_plan.hpp"
#include "job/worker_host.hpp"
#include "vm/guest_host.hpp"

namespace cowbench {

// Of `run --vm`; shared with `vm run` and `vm shell`.
struct VmRun {
  bool wanted = false;
  std::string accelerator = "auto";  // as asked for
  std::string cache;                 // this user's
  GuestSettings settings;
  std::uint32_t side_by_side = 1;  // jobs
  // Why it cannot run on this machine.
  std::vector<std::string> environment;
  // How many of these are a guest that is not there.
  std::size_t missing_guests = 0;
};

// --kernel, --accel, --guest-memory, --guest-cpus, --boot-limit.
void add_guest_options(options::options_description& description);
// Those and --vm, --jobs, --bisect, --cache-dir.
void add_vm_options(options::options_description& description);

// Reads them, finds the guests and names them in `request`. Faults: what the
// user must write otherwise.
VmRun read_vm_options(const CommandLine& line, RunRequest& request,
                      std::vector<std::string>& faults);
// The part that needs no run.
VmRun read_guest_options(const CommandLine& line,
                         const std::vector<std::string>& names,
                         std::vector<std::string>& faults);

// Gives the planned members their disks, and adds to the plan's reasons why
// it cannot run.
void complete_vm_plan(const VmRun& vm, RunPlan& plan);

// Decides how each guest is run, by a probe when nobody knows.
Status choose_accelerators(VmRun& vm, RunPlan& plan);
// Before that, and without any probe: "by emulation (no /dev/kvm)", ...
std::string accelerator_text(const VmRun& vm);

// Where the jobs' workers run.
std::unique_ptr<WorkerHost> worker_host_of(const VmRun& vm);

}  // namespace cowbench
