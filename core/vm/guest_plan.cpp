// SPDX-License-Identifier: Apache-2.0
#include "vm/guest_plan.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

// A tmpfs of the guest, gone with it.
constexpr char kGuestState[] = "/run/cowbench";
// What virtio has room for.
constexpr std::size_t kMaximumSerialBytes = 20;

std::string serial_of(const MemberPlan& member, std::size_t position) {
  std::string name = member.name();
  return name.size() <= kMaximumSerialBytes
             ? name
             : "member" + std::to_string(position);
}

Status plan_disks_of(const std::string& stack, std::vector<MemberPlan>& members,
                     const std::string& image_folder, const RunPlan& run,
                     const DiskModels& models) {
  if (members.size() > kMaximumMemberDisks) {
    return Error(Category::kUsage, "stack " + stack + " has " +
                                       std::to_string(members.size()) +
                                       " members; a guest has slots for " +
                                       std::to_string(kMaximumMemberDisks));
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    VirtualDisk& disk = *members[i].disk;
    disk.serial = serial_of(members[i], i);
    disk.image = image_folder + "/" + disk.serial + ".img";
    disk.filesystem = run.store_type;
    disk.memory_backed = run.store_in_memory;
    if (disk.model.empty()) continue;
    const auto model = models.find(disk.model);
    if (model == models.end()) {
      return Error(Category::kUsage,
                   "stack " + stack + ": model \"" + disk.model +
                       "\" has no entry in member-models.json");
    }
    disk.iops = model->second.iops;
    disk.bytes_per_second = model->second.bytes_per_second;
  }
  return {};
}

// Of a path of this machine in the guest; folders outside of the program's
// tree become shares of their own.
class Translation {
 public:
  explicit Translation(const fs::path& program)
      : root_(program.parent_path().parent_path()) {
    shares_.push_back({"payload", root_.string(), kGuestPayload, true});
  }

  fs::path folder(const fs::path& path) {
    const fs::path wanted = fs::absolute(path).lexically_normal();
    const fs::path below = wanted.lexically_relative(root_);
    if (!below.empty() && *below.begin() != "..") return kGuestPayload / below;
    for (const GuestShare& share : shares_) {
      if (share.folder == wanted) return share.guest_folder;
    }
    const std::string name = "plugins" + std::to_string(shares_.size());
    shares_.push_back({name, wanted.string(), "/" + name, true});
    return "/" + name;
  }

  std::vector<GuestShare> take() { return std::move(shares_); }

 private:
  fs::path root_;
  std::vector<GuestShare> shares_;
};

}  // namespace

Status plan_disks(RunPlan& run, const DiskModels& models) {
  for (JobPlan& job : run.jobs) {
    Status planned = plan_disks_of(job.stack.name, job.members,
                                   job.image_folder, run, models);
    if (!planned) return planned;
  }
  for (StackPreview& preview : run.previews) {
    Status planned =
        plan_disks_of(preview.stack, preview.members, {}, run, models);
    if (!planned) return planned;
  }
  return {};
}

GuestLayout lay_out(const JobPlan& plan, const std::string& program) {
  GuestLayout layout;
  layout.plan = plan;
  JobPlan& inside = layout.plan;
  inside.ledger_path = std::string(kGuestState) + "/ledger.jsonl";
  inside.run_folder = std::string(kGuestState) + "/job";
  inside.image_folder = std::string(kGuestState) + "/images";
  inside.result_folder = std::string(kGuestExchange) + "/result";
  Translation translation(program);
  layout.program = translation.folder(fs::path(program).parent_path()) /
                   fs::path(program).filename();
  std::error_code ignored;
  inside.plugins.directories.clear();
  for (const fs::path& directory : plan.plugins.directories) {
    // One that is not there has nothing to share.
    if (!fs::is_directory(directory, ignored)) continue;
    inside.plugins.directories.push_back(translation.folder(directory));
  }
  inside.plugins.files.clear();
  for (const fs::path& file : plan.plugins.files) {
    inside.plugins.files.push_back(translation.folder(file.parent_path()) /
                                   file.filename());
  }
  layout.shares = translation.take();
  layout.shares.push_back(
      {"artifacts", plan.artifact_folder(), inside.artifact_folder(), false});
  return layout;
}

Result<std::vector<GuestShare>> same_path_shares(
    const std::vector<std::string>& folders) {
  std::vector<GuestShare> shares;
  std::vector<std::string> faults;
  for (const std::string& folder : folders) {
    fs::path path = fs::path(folder).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    std::error_code ignored;
    std::string fault;
    if (!path.is_absolute() || !fs::is_directory(path, ignored)) {
      fault = "not the absolute path of a folder";
    } else if (!path.parent_path().has_relative_path()) {
      fault = "would hide a folder of the guest; give one below it";
    } else if (path.string().find_first_of(" \t\n") != std::string::npos) {
      fault = "white space in a path cannot be handed to the guest";
    } else if (std::any_of(shares.begin(), shares.end(),
                           [&](const auto& share) {
                             return share.folder == path.string();
                           })) {
      fault = "given twice";
    }
    if (!fault.empty()) {
      faults.push_back(folder + ": " + fault);
      continue;
    }
    shares.push_back({"share" + std::to_string(shares.size()), path.string(),
                      path.string(), true});
  }
  if (!faults.empty()) return Error(Category::kUsage, join(faults, "\n"));
  return shares;
}

std::string mounts_text(const std::vector<GuestShare>& shares) {
  std::string text;
  for (const GuestShare& share : shares) {
    text += share.tag + " " + share.guest_folder + " " +
            (share.read_only ? "ro" : "rw") + "\n";
  }
  return text;
}

}  // namespace cowbench
