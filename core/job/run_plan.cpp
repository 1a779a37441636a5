// SPDX-License-Identifier: Apache-2.0
#include "job/run_plan.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "base/text.hpp"
#include "base/units.hpp"
#include "device/safety.hpp"
#include "job/requirements.hpp"
#include "system/block.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/filesystem.hpp"

namespace cowbench {

namespace {

// Set-up, tear-down and the harness around the phases, per job.
constexpr std::uint64_t kJobOverheadNs = 3 * kNsPerSecond;

// What a filesystem may take of a member for itself, beside the files: its
// log, and structures that grow with the member.
constexpr std::uint64_t kOwnBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kOwnShare = 32;

// Date first, so that folders sort by time; what is drawn tells apart two runs
// of one second, also where --seed is the same.
std::string make_run_id() {
  std::string id;
  for (const char c : utc_now_iso8601()) {
    if (c != '-' && c != ':') id += c;
  }
  constexpr char kDigits[] = "0123456789abcdef";
  id += '-';
  std::random_device random;
  const unsigned drawn = random();
  for (int shift = 12; shift >= 0; shift -= 4) {
    id += kDigits[(drawn >> shift) & 15U];
  }
  return id;
}

// A spare is written to only once it has become a member of a layer.
bool stands_on(const Stack& stack, const std::string& group) {
  for (const LayerUse& layer : stack.layers) {
    if (std::find(layer.on.begin(), layer.on.end(), group) != layer.on.end()) {
      return true;
    }
  }
  return false;
}

class Planner {
 public:
  Planner(const RunRequest& request, const Catalog& catalog,
          const PluginSearch& plugins, const ConfigLibrary& library)
      : request_(request),
        catalog_(catalog),
        plugins_(plugins),
        library_(library) {}

  RunPlan make() {
    run_.seed = request_.seed;
    run_.label = request_.label;
    run_.run_id = make_run_id();
    load_profile();
    std::vector<JobPlan> per_stack;
    std::set<std::string> names;
    for (const std::string& name : request_.stacks) {
      auto job = plan_stack(name);
      if (!job) continue;
      // Jobs, and the folders of their results, go by the stack's name.
      if (!names.insert(job->stack.name).second) {
        run_.usage.push_back({"", 0, "",
                              "stack " + job->stack.name +
                                  " was named twice; --repeat N runs every "
                                  "stack N times"});
        continue;
      }
      per_stack.push_back(std::move(*job));
    }
    if (request_.stacks.empty()) {
      run_.usage.push_back(
          {"", 0, "", "no stack was named; see: cowbench list stacks"});
    }
    check_requirements(per_stack);
    check_devices(per_stack);
    if (run_.usage.empty()) preview(per_stack);
    check_space();
    interleave(per_stack);
    return std::move(run_);
  }

 private:
  void load_profile() {
    auto file = library_.find(ConfigKind::kProfile, request_.profile);
    if (auto* problem = std::get_if<Problem>(&file)) {
      run_.usage.push_back(*problem);
      return;
    }
    const auto& found = std::get<ConfigFile>(file);
    auto profile = check_profile(found.text, found.path.string(),
                                 catalog_.vocabulary(), request_.overrides);
    if (auto* problems = std::get_if<Problems>(&profile)) {
      add(*problems);
      return;
    }
    profile_ = std::get<Profile>(std::move(profile));
  }

  void add(const Problems& problems) {
    run_.usage.insert(run_.usage.end(), problems.begin(), problems.end());
  }

  std::optional<JobPlan> plan_stack(const std::string& name) {
    auto file = library_.find(ConfigKind::kStack, name);
    if (auto* problem = std::get_if<Problem>(&file)) {
      run_.usage.push_back(*problem);
      return std::nullopt;
    }
    const auto& found = std::get<ConfigFile>(file);
    auto stack =
        check_stack(found.text, found.path.string(), catalog_.vocabulary());
    if (auto* problems = std::get_if<Problems>(&stack)) {
      add(*problems);
      return std::nullopt;
    }
    if (!profile_) return std::nullopt;
    JobPlan job;
    job.stack = std::get<Stack>(std::move(stack));
    job.profile = *profile_;
    job.overrides = request_.overrides;
    job.plugins = plugins_;
    job.run_id = run_.run_id;
    job.run_label = request_.label;
    const Problems faults = choose_phases(job, request_.phases, request_.skip);
    if (!faults.empty()) {
      // Once is enough: every stack has the same profile.
      if (!phases_checked_) add(faults);
      phases_checked_ = true;
      return std::nullopt;
    }
    plan_members(job);
    return job;
  }

  void plan_members(JobPlan& job) {
    if (!request_.guests.empty() && !request_.devices.empty()) {
      run_.usage.push_back({"--member", 0, "",
                            "names devices of this machine, and a guest has "
                            "disks of its own"});
      return;
    }
    for (const GroupUse& group : job.stack.groups) {
      const auto devices = request_.devices.find(group.name);
      const bool real = devices != request_.devices.end();
      if (real && devices->second.size() != group.count) {
        run_.usage.push_back({"--member", 0, "",
                              "stack " + job.stack.name + " needs " +
                                  std::to_string(group.count) +
                                  " members in group " + group.name + ", " +
                                  std::to_string(devices->second.size()) +
                                  " were given"});
      }
      if (!request_.devices.empty() && !real) {
        run_.usage.push_back({"--member", 0, "",
                              "group " + group.name + " of stack " +
                                  job.stack.name +
                                  " got no devices; give each group its own, "
                                  "or none any"});
      }
      for (std::uint32_t i = 0; i < group.count; ++i) {
        MemberPlan member;
        member.group = group.name;
        member.index = i;
        if (real && i < devices->second.size()) {
          member.device = devices->second[i];
          member.wipe = names_device(request_.wipe, member.device);
          member.size_bytes = real_size(member.device);
        } else {
          member.size_bytes = image_size(job, group);
        }
        if (!request_.guests.empty()) {
          member.disk.emplace();
          member.disk->model = group.model;
        }
        job.members.push_back(std::move(member));
      }
    }
    for (const auto& [group, devices] : request_.devices) {
      report_unknown_group(job, group);
    }
  }

  void report_unknown_group(const JobPlan& job, const std::string& group) {
    std::vector<std::string> known;
    for (const GroupUse& one : job.stack.groups) known.push_back(one.name);
    if (std::find(known.begin(), known.end(), group) != known.end()) return;
    run_.usage.push_back({"--member", 0, "",
                          "stack " + job.stack.name + " has no group \"" +
                              group + "\"" + did_you_mean(group, known) +
                              "; it has " + join(known, ", ")});
  }

  std::uint64_t real_size(const std::string& device) const {
    auto facts = device.empty()
                     ? Result<BlockFacts>(Error(Category::kUsage, "no device"))
                     : block_facts(device);
    const std::uint64_t whole = facts ? facts->size_bytes : 0;
    const std::uint64_t limit = request_.member_limit_bytes;
    return limit != 0 && limit < whole ? limit : whole;
  }

  // Whole MiB, so that scaling never gives a size that no sector fits.
  std::uint64_t image_size(const JobPlan& job, const GroupUse& group) const {
    const double scaled =
        static_cast<double>(job.profile.member_bytes) * group.scale;
    const std::uint64_t mib = std::uint64_t{1} << 20;
    const auto bytes = static_cast<std::uint64_t>(scaled) / mib * mib;
    return std::max(bytes, job.stack.minimum_member_bytes);
  }

  // What a guest has, only the guest knows.
  void check_requirements(const std::vector<JobPlan>& jobs) {
    if (!request_.guests.empty()) return;
    std::set<std::string> missing;
    for (const JobPlan& job : jobs) {
      for (std::string& text : missing_requirements(job, catalog_)) {
        missing.insert(std::move(text));
      }
    }
    run_.environment.insert(run_.environment.end(), missing.begin(),
                            missing.end());
  }

  void check_devices(const std::vector<JobPlan>& jobs) {
    std::set<std::string> reasons;
    for (const JobPlan& job : jobs) {
      std::vector<DeviceRequest> requests;
      for (const MemberPlan& member : job.members) {
        if (request_.devices.empty()) continue;
        requests.push_back(
            {member.group, member.device, job.stack.minimum_member_bytes});
      }
      if (requests.empty()) continue;
      for (std::string& text : device_refusals(requests, request_.wipe)) {
        reasons.insert(std::move(text));
      }
    }
    for (const std::string& text : reasons) {
      run_.usage.push_back({"--member", 0, "", text});
    }
    if (request_.devices.empty() && !request_.wipe.empty()) {
      run_.usage.push_back(
          {"--wipe", 0, "", "names a device, but --member gives none"});
    }
  }

  void preview(const std::vector<JobPlan>& jobs) {
    for (const JobPlan& job : jobs) {
      StackPreview preview;
      preview.stack = job.stack.name;
      preview.members = job.members;
      Problems problems;
      if (Status done = preview_job(job, preview, problems); !done) {
        problems.push_back({"", 0, "", done.error().message()});
      }
      add(problems);
      check_capacity(job, preview);
      sum_up(job, preview);
      run_.duration_ns += preview.duration_ns * request_.repeat *
                          std::max<std::uint64_t>(1, request_.guests.size());
      run_.previews.push_back(std::move(preview));
    }
  }

  // Less than this cannot do, however little redundancy there is.
  void check_capacity(const JobPlan& job, const StackPreview& preview) {
    std::uint64_t raw_bytes = 0;
    for (const MemberPlan& member : job.members) {
      if (stands_on(job.stack, member.group)) raw_bytes += member.size_bytes;
    }
    for (const PhaseEstimate& phase : preview.phases) {
      if (phase.before_stack || phase.peak_bytes <= raw_bytes) continue;
      run_.usage.push_back({"", 0, "",
                            "the members of " + job.stack.name + " have " +
                                format_size(raw_bytes) + " in all, and phase " +
                                phase.phase + " needs " +
                                format_size(phase.peak_bytes) +
                                "; give larger ones, or a smaller profile"});
    }
  }

  // A byte can lie on every member at most, and copies on write may never
  // reuse a block: so all that is written, on all members that a layer stands
  // on, but never more than their images hold.
  void sum_up(const JobPlan& job, StackPreview& preview) const {
    std::uint64_t members = 0;
    std::uint64_t used_bytes = 0;
    for (const MemberPlan& member : job.members) {
      if (!member.device.empty()) continue;
      preview.image_bytes += member.size_bytes;
      if (!stands_on(job.stack, member.group)) continue;
      used_bytes += member.size_bytes;
      ++members;
    }
    std::uint64_t before_peak = 0;
    std::uint64_t on_stack = 0;
    preview.duration_ns = kJobOverheadNs;
    for (const PhaseEstimate& phase : preview.phases) {
      preview.written_bytes += phase.written_bytes;
      preview.duration_ns += phase.duration_ns;
      if (phase.before_stack) {
        before_peak = std::max(before_peak, phase.peak_bytes);
      } else {
        on_stack += phase.written_bytes;
      }
    }
    // With real devices calibration works on them too.
    if (members == 0) return;
    preview.worst_case_bytes =
        std::max(before_peak,
                 std::min(used_bytes, on_stack * members + kOwnBytes * members +
                                          used_bytes / kOwnShare));
  }

  void check_space() {
    auto store = filesystem_facts(request_.work_folder);
    if (!store) {
      run_.environment.push_back(store.error().message());
      return;
    }
    run_.store_path = request_.work_folder;
    run_.store_type = store->type;
    run_.store_in_memory = store->memory_backed;
    run_.store_available_bytes = store->available_bytes;
    for (const StackPreview& preview : run_.previews) {
      if (preview.worst_case_bytes <= store->available_bytes) continue;
      run_.environment.push_back(
          "not enough space for the members of " + preview.stack +
          ": they can grow to " + format_size(preview.worst_case_bytes) +
          ", and " + request_.work_folder + " (" + store->type +
          (store->memory_backed ? ", in memory" : "") + ") has " +
          format_size(store->available_bytes) +
          " free; use --work-dir on a larger store, or a smaller profile");
    }
  }

  // Every repetition runs all stacks in a new seeded order, so that a drift
  // of the host hits them alike.
  void interleave(const std::vector<JobPlan>& per_stack) {
    std::mt19937_64 random(request_.seed);
    // Without a guest once, on this machine.
    const std::size_t kernels =
        std::max<std::size_t>(request_.guests.size(), 1);
    std::vector<std::size_t> order(per_stack.size() * kernels);
    const auto total =
        static_cast<std::uint32_t>(order.size() * request_.repeat);
    for (std::uint32_t repetition = 1; repetition <= request_.repeat;
         ++repetition) {
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      // Written out, because std::shuffle may differ between libraries.
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random() % i]);
      }
      // The same work for every stack of a repetition.
      // 53 bits: readers of JSON that keep numbers as doubles stay exact.
      const std::uint64_t seed = random() >> 11U;
      for (const std::size_t index : order) {
        JobPlan job = per_stack[index / kernels];
        if (!request_.guests.empty()) {
          job.guest = request_.guests[index % kernels];
        }
        job.repetition = repetition;
        job.order = static_cast<std::uint32_t>(run_.jobs.size());
        job.jobs = total;
        job.seed = seed;
        place(job);
        run_.jobs.push_back(std::move(job));
      }
    }
  }

  void place(JobPlan& job) const {
    std::string name = job.stack.name + "-r" + std::to_string(job.repetition);
    if (request_.guests.size() > 1) name += "-" + job.guest.name;
    job.job_id = run_.run_id + "." + name;
    job.ledger_path =
        request_.state_folder + "/ledgers/" + job.job_id + ".jsonl";
    job.run_folder = request_.state_folder + "/run/" + job.job_id;
    job.image_folder = request_.work_folder + "/" + job.job_id;
    job.result_folder =
        request_.results_folder + "/" + run_.run_id + "/" + name;
  }

  const RunRequest& request_;
  const Catalog& catalog_;
  const PluginSearch& plugins_;
  const ConfigLibrary& library_;
  RunPlan run_;
  std::optional<Profile> profile_;
  bool phases_checked_ = false;
};

}  // namespace

RunPlan make_run_plan(const RunRequest& request, const Catalog& catalog,
                      const PluginSearch& plugins,
                      const ConfigLibrary& library) {
  return Planner(request, catalog, plugins, library).make();
}

}  // namespace cowbench
