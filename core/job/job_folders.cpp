// SPDX-License-Identifier: Apache-2.0
#include "job/job_folders.hpp"

#include <algorithm>

#include "system/file.hpp"
#include "system/mount.hpp"

namespace cowbench {

namespace {

Status enter(Ledger& ledger, const char* kind, const std::string& identity) {
  LedgerEntry entry;
  entry.kind = kind;
  entry.identity = identity;
  auto id = ledger.add(entry);
  return id ? Status() : Status(id.error());
}

Status make_folder(Ledger& ledger, const std::string& folder) {
  // Once in the ledger it is removed with its content.
  if (path_exists(folder)) {
    return Error(Category::kEnvironment,
                 folder +
                     " exists already and is not this job's; look at it, and "
                     "move it away or remove it");
  }
  if (Status entered = enter(ledger, "folder", folder); !entered) {
    return entered;
  }
  return make_directories(folder, 0700);
}

}  // namespace

Result<std::vector<std::string>> make_job_folders(JobPlan& plan,
                                                  Ledger& ledger) {
  const bool images = std::any_of(
      plan.members.begin(), plan.members.end(), [](const MemberPlan& member) {
        return member.device.empty() && !member.disk;
      });
  if (!images) plan.image_folder.clear();
  for (const std::string& folder : {plan.run_folder, plan.mount_point(),
                                    plan.memory_folder(), plan.image_folder}) {
    if (folder.empty()) continue;
    if (Status made = make_folder(ledger, folder); !made) return made.error();
  }
  std::vector<std::string> notes;
  // A mount point that is empty and immutable can never put a benchmark on
  // the host's own disk when the mount is lost.
  if (!set_immutable(plan.mount_point(), true)) {
    notes.emplace_back(
        "the mount point's filesystem has no immutable flag; mode 0700 has to "
        "do");
  }
  if (Status entered = enter(ledger, "mount", plan.memory_folder()); !entered) {
    return entered.error();
  }
  auto mounted = mount_filesystem(
      {"tmpfs", plan.memory_folder(), "tmpfs", "size=50%,mode=0700"});
  if (!mounted) return mounted.error();
  return notes;
}

}  // namespace cowbench
