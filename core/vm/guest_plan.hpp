// SPDX-License-Identifier: Apache-2.0
// A job's plan as its guest gets it, and what of this machine it needs.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "job/run_plan.hpp"
#include "vm/models.hpp"
#include "vm/qemu_command.hpp"

namespace cowbench {

// The two folders of this machine that every job's guest sees.
inline constexpr char kGuestPayload[] = "/payload";
inline constexpr char kGuestExchange[] = "/exchange";

// Gives every member of a run its disk: serial, image, and the limits of what
// it imitates. kUsage: a model that `models` does not have, or more members
// than a machine has slots.
Status plan_disks(RunPlan& run, const DiskModels& models);

// One job inside its guest.
struct GuestLayout {
  JobPlan plan;  // with paths of the guest
  std::string program;
  std::vector<GuestShare> shares;  // of the program, plugins and artifacts
};

// `program` is the running executable: the tree it is installed in, or was
// built in, is shared. Plugins elsewhere are shared folder by folder.
GuestLayout lay_out(const JobPlan& plan, const std::string& program);

// Folders of this machine that a guest sees read-only, each at its own path.
// kUsage, with every reason at once: not an absolute path of a folder below a
// top-level one (which would hide the guest's own), given twice, or with white
// space in its path, which /exchange/mounts cannot tell.
Result<std::vector<GuestShare>> same_path_shares(
    const std::vector<std::string>& folders);

// The text of /exchange/mounts for these shares.
std::string mounts_text(const std::vector<GuestShare>& shares);

}  // namespace cowbench
