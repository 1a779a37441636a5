// SPDX-License-Identifier: Apache-2.0
#include "cli/run_vm.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

#include "base/text.hpp"
#include "base/units.hpp"
#include "job/local_worker.hpp"
#include "system/file.hpp"
#include "vm/guest_plan.hpp"
#include "vm/models.hpp"
#include "vm/virtual_machine.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
constexpr std::uint64_t kLeastMemory = 512 * kMib;
constexpr std::uint32_t kMostCpus = 64;
// More than these make an emulated guest slower.
constexpr std::uint32_t kDefaultCpus = 2;
constexpr std::uint32_t kMostSideBySide = 64;

// Bytes that programs can have without others being pushed out.
std::uint64_t available_memory() {
  auto text = read_file("/proc/meminfo");
  if (!text) return 0;
  for (const std::string& line : split(*text, '\n')) {
    if (!line.starts_with("MemAvailable:")) continue;
    return std::strtoull(line.c_str() + 13, nullptr, 10) * 1024;
  }
  return 0;
}

std::uint32_t number_of(const CommandLine& line, const char* name,
                        std::uint32_t fallback, std::uint32_t most,
                        std::vector<std::string>& faults) {
  if (!line.has(name)) return fallback;
  const auto number = line.values[name].as<std::uint32_t>();
  if (number >= 1 && number <= most) return number;
  faults.push_back(std::string("--") + name + ": give a number from 1 to " +
                   std::to_string(most));
  return fallback;
}

void read_memory(const CommandLine& line, GuestSettings& settings,
                 std::vector<std::string>& faults) {
  auto memory = parse_size(line.text("guest-memory"));
  if (!memory) {
    faults.push_back("--guest-memory: " + memory.error().message());
  } else if (*memory < kLeastMemory) {
    faults.push_back("--guest-memory: give at least " +
                     format_size(kLeastMemory));
  } else {
    settings.memory_bytes = *memory / kMib * kMib;
  }
  if (!line.has("boot-limit")) return;
  auto limit = parse_duration_ns(line.text("boot-limit"));
  if (!limit || *limit == 0) {
    faults.push_back("--boot-limit: give a duration, as 60s");
  } else {
    settings.boot_limit_ns = *limit;
  }
}

std::vector<std::string> kernels_of(const CommandLine& line) {
  std::vector<std::string> names;
  for (const std::string& name : split(line.text("kernel"), ',')) {
    if (!trim(name).empty()) names.emplace_back(trim(name));
  }
  return names;
}

GuestPlan plan_of(const GuestImage& image) {
  GuestPlan guest;
  guest.name = image.name;
  for (const ExtraModule& module : image.extra_modules) {
    if (module.outcome != "ok") guest.not_built[module.name] = module.reason;
  }
  return guest;
}

const char* kVmOnly[] = {"kernel", "accel",     "guest-memory", "guest-cpus",
                         "jobs",   "cache-dir", "boot-limit"};

}  // namespace

void add_guest_options(options::options_description& description) {
  auto add = description.add_options();
  add("kernel",
      options::value<std::string>()->default_value("trixie")->value_name(
          "NAME,..."),
      "which guests: by name, kernel release, or what the kernel was built "
      "from; with several every job runs once in each (see: cowbench vm "
      "list)");
  add("accel",
      options::value<std::string>()->default_value("auto")->value_name(
          "kvm|tcg|auto"),
      "how guests run; auto: by KVM if a guest really boots with it, else "
      "emulated by TCG");
  add("guest-memory",
      options::value<std::string>()->default_value("3GiB")->value_name("SIZE"),
      "memory of a guest");
  add("guest-cpus", options::value<std::uint32_t>()->value_name("N"),
      "processors of a guest (default: 2, or 1 where there is only one)");
  add("boot-limit", options::value<std::string>()->value_name("DURATION"),
      "how long a guest may take to boot (default: 1min by KVM, 5min "
      "emulated)");
}

void add_vm_options(options::options_description& description) {
  auto add = description.add_options();
  add("vm",
      "run every job in a fresh guest; members are its disks, throttled as "
      "their model; needs no root");
  add_guest_options(description);
  add("cache-dir", options::value<std::string>()->value_name("DIR"),
      "where guests are (see: cowbench vm --help)");
  add("jobs,j", options::value<std::uint32_t>()->value_name("N"),
      "run N guests side by side: to see that things work, not to measure "
      "(default: 1)");
  add("bisect",
      "exit codes for `git bisect run`: 0 good, 1 a job failed, 125 this "
      "kernel cannot be tested (no guest, no boot, the guest lacks something), "
      "129 for what must end the bisection");
}

VmRun read_guest_options(const CommandLine& line,
                         const std::vector<std::string>& names,
                         std::vector<std::string>& faults) {
  VmRun vm;
  vm.wanted = true;
  vm.accelerator = line.text("accel");
  if (vm.accelerator != "auto" && vm.accelerator != "kvm" &&
      vm.accelerator != "tcg") {
    faults.push_back("--accel " + vm.accelerator + ": give kvm, tcg or auto");
  }
  read_memory(line, vm.settings, faults);
  const std::uint32_t cpus = std::max(1U, std::thread::hardware_concurrency());
  vm.settings.cpus = number_of(line, "guest-cpus", std::min(cpus, kDefaultCpus),
                               kMostCpus, faults);
  if (!faults.empty()) return vm;
  vm.cache = guest_cache_folder(line.text("cache-dir"));
  std::error_code ignored;
  vm.settings.program =
      std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  if (!path_exists(vm.settings.program)) {
    vm.environment.push_back(
        "the program was replaced while it ran; start it again");
  }
  auto version = emulator_version();
  if (version) {
    vm.settings.emulator = *version;
  } else {
    vm.environment.push_back(version.error().message());
  }
  for (const std::string& name : names) {
    auto image = find_guest(guest_cache_folders(line.text("cache-dir")), name);
    if (!image) {
      vm.environment.push_back(image.error().message());
      ++vm.missing_guests;
      continue;
    }
    vm.settings.images[image->name] = *image;
  }
  return vm;
}

VmRun read_vm_options(const CommandLine& line, RunRequest& request,
                      std::vector<std::string>& faults) {
  if (!line.has("vm")) {
    for (const char* name : kVmOnly) {
      if (!line.has(name) || line.values[name].defaulted()) continue;
      faults.push_back(std::string("--") + name + ": goes with --vm");
    }
    return {};
  }
  const std::vector<std::string> names = kernels_of(line);
  if (names.empty()) faults.push_back("--kernel: give the name of a guest");
  VmRun vm = read_guest_options(line, names, faults);
  vm.side_by_side = number_of(line, "jobs", 1, kMostSideBySide, faults);
  for (const auto& [name, image] : vm.settings.images) {
    request.guests.push_back(plan_of(image));
  }
  // Planned as if there was one, so that all that is wrong is said at once.
  if (request.guests.empty()) {
    request.guests.push_back({names.empty() ? "none" : names[0], false, {}});
  }
  return vm;
}

void complete_vm_plan(const VmRun& vm, RunPlan& plan) {
  if (!vm.wanted) return;
  plan.environment.insert(plan.environment.end(), vm.environment.begin(),
                          vm.environment.end());
  auto models = load_disk_models();
  if (!models) {
    plan.environment.push_back(models.error().message());
  } else if (Status planned = plan_disks(plan, *models); !planned) {
    plan.usage.push_back({"", 0, "", planned.error().message()});
  }
  const std::uint64_t memory = vm.settings.memory_bytes * vm.side_by_side;
  if (const std::uint64_t there = available_memory();
      there != 0 && there < memory) {
    plan.environment.push_back(
        "not enough memory: guests take " + format_size(memory) + ", and " +
        format_size(there) +
        " are available; use --guest-memory with less, or fewer --jobs");
  }
  std::uint64_t images = 0;
  std::multiset<std::uint64_t> sizes;
  for (const JobPlan& job : plan.jobs) {
    for (const StackPreview& preview : plan.previews) {
      if (preview.stack == job.stack.name) {
        sizes.insert(preview.worst_case_bytes);
      }
    }
  }
  std::uint32_t left = vm.side_by_side;
  for (auto size = sizes.rbegin(); size != sizes.rend() && left > 0; ++size) {
    images += *size;
    --left;
  }
  if (vm.side_by_side > 1 && images > plan.store_available_bytes) {
    plan.environment.push_back("not enough space for the members of " +
                               std::to_string(vm.side_by_side) +
                               " jobs side by side: they can grow "
                               "to " +
                               format_size(images) + "; use fewer --jobs");
  }
}

std::string accelerator_text(const VmRun& vm) {
  std::vector<std::string> parts;
  for (const auto& [name, image] : vm.settings.images) {
    const auto chosen = vm.settings.accelerators.find(name);
    const Accelerator accelerator =
        chosen != vm.settings.accelerators.end()
            ? chosen->second
            : known_accelerator(vm.accelerator, image, vm.settings.emulator,
                                vm.cache);
    const std::string how =
        accelerator.name.empty() ? "by KVM if a probe boots, else emulated"
        : accelerator.emulated()
            ? "EMULATED by TCG" + (accelerator.reason.empty()
                                       ? std::string()
                                       : ": " + accelerator.reason)
            : "by KVM";
    parts.push_back(name + " (kernel " + image.kernel_release + ", " + how +
                    ")");
  }
  return join(parts, "; ");
}

Status choose_accelerators(VmRun& vm, RunPlan& plan) {
  for (const auto& [name, image] : vm.settings.images) {
    auto chosen = choose_accelerator(vm.accelerator, image,
                                     vm.settings.emulator, vm.cache);
    if (!chosen) return chosen.error();
    vm.settings.accelerators[name] = *chosen;
  }
  for (JobPlan& job : plan.jobs) {
    const auto chosen = vm.settings.accelerators.find(job.guest.name);
    if (chosen == vm.settings.accelerators.end()) continue;
    job.guest.emulated = chosen->second.emulated();
  }
  return {};
}

std::unique_ptr<WorkerHost> worker_host_of(const VmRun& vm) {
  if (vm.wanted) return std::make_unique<GuestHost>(vm.settings);
  return std::make_unique<LocalWorkerHost>();
}

}  // namespace cowbench
