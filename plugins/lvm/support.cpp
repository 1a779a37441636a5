// SPDX-License-Identifier: Apache-2.0
#include "lvm/support.hpp"

#include "lvm/mapping.hpp"

namespace cowbench::lvm {
namespace {

bool loaded(const Host& host, const std::string& type) {
  return !target_version(host.run_checked({"dmsetup", "targets"}), type)
              .empty();
}

// modprobe may be missing where everything is built in.
bool load(const Host& host, const NeededTarget& target) {
  if (loaded(host, target.type)) return true;
  for (const std::string& module : target.modules) {
    try {
      if (!host.run({"modprobe", module}).succeeded()) continue;
    } catch (const Error&) {
      continue;
    }
    if (loaded(host, target.type)) return true;
  }
  return false;
}

bool installed(const Host& host, const std::vector<std::string>& probe) {
  try {
    host.run(probe);
    return true;
  } catch (const Error& error) {
    if (error.status() != COWBENCH_NOT_AVAILABLE) throw;
    return false;
  }
}

}  // namespace

std::vector<NeededTarget> needed_targets(const Settings& settings) {
  std::vector<NeededTarget> targets;
  if (settings.raid()) targets.push_back({"raid", {"dm-raid"}});
  if (settings.integrity) targets.push_back({"integrity", {"dm-integrity"}});
  if (settings.pool == Pool::kThin) {
    targets.push_back({"thin-pool", {"dm-thin-pool"}});
  }
  // In the kernel since 6.9, a module of its own package before.
  if (settings.pool == Pool::kVdo) {
    targets.push_back({"vdo", {"dm-vdo", "kvdo"}});
  }
  if (settings.cache == Cache::kCache) {
    targets.push_back({"cache", {"dm-cache"}});
  }
  if (settings.cache == Cache::kWritecache) {
    targets.push_back({"writecache", {"dm-writecache"}});
  }
  return targets;
}

std::vector<NeededTool> needed_tools(const Settings& settings) {
  std::vector<NeededTool> tools;
  if (settings.pool == Pool::kThin) {
    tools.push_back({{"thin_check", "--version"}, "thin-provisioning-tools"});
  }
  if (settings.cache == Cache::kCache) {
    tools.push_back({{"cache_check", "--version"}, "thin-provisioning-tools"});
  }
  if (settings.pool == Pool::kVdo) {
    tools.push_back({{"vdoformat", "--version"}, "vdo"});
  }
  return tools;
}

void require_support(const Host& host, const Settings& settings) {
  std::string missing;
  const auto add = [&missing](const std::string& what) {
    missing += (missing.empty() ? "" : "; ") + what;
  };
  for (const NeededTarget& target : needed_targets(settings)) {
    if (load(host, target)) continue;
    add("the kernel has no device-mapper target \"" + target.type +
        "\" (module " + target.modules.front() + ")");
  }
  for (const NeededTool& tool : needed_tools(settings)) {
    if (installed(host, tool.probe)) continue;
    add("the program " + tool.probe.front() +
        " is not installed; install it with: apt-get install " + tool.package);
  }
  if (!missing.empty()) throw Error(COWBENCH_NOT_AVAILABLE, missing);
}

}  // namespace cowbench::lvm
