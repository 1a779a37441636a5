// SPDX-License-Identifier: Apache-2.0
#include "job/requirements.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "system/file.hpp"
#include "system/machine.hpp"
#include "system/process.hpp"

namespace cowbench {

namespace {

std::string remedy(const RequirementSpec& spec) {
  return spec.package.empty()
             ? std::string()
             : "; install it with: apt-get install " + spec.package;
}

// The kernel takes "-" and "_" in a module's name for the same; its file may
// have either.
std::string module_name(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

// Whether the running kernel can load a module of this name on demand.
bool module_loadable(const std::string& name, const std::string& release) {
  for (const char* list : {"modules.dep", "modules.builtin"}) {
    auto text = read_file("/lib/modules/" + release + "/" + list);
    if (!text) continue;
    for (const std::string& line : split(*text, '\n')) {
      const std::string path = line.substr(0, line.find(':'));
      const std::string file = path.substr(path.rfind('/') + 1);
      if (module_name(file).starts_with(module_name(name) + ".ko")) return true;
    }
  }
  return false;
}

RequirementState check_tool(const RequirementSpec& spec) {
  const auto path = find_program(spec.name);
  if (path) return {spec, true, *path};
  return {spec, false,
          "the program " + spec.name + " is not installed" + remedy(spec)};
}

RequirementState check_filesystem(const RequirementSpec& spec) {
  auto known = read_file("/proc/filesystems");
  if (known) {
    for (const std::string& line : split(*known, '\n')) {
      const std::string name(trim(line.substr(line.rfind('\t') + 1)));
      if (name == spec.name) return {spec, true, "known to the kernel"};
    }
  }
  const std::string release = describe_machine().kernel_release;
  if (module_loadable(spec.name, release)) {
    return {spec, true, "loadable module"};
  }
  return {
      spec, false,
      "kernel " + release + " has no filesystem " + spec.name + remedy(spec)};
}

RequirementState check_module(const RequirementSpec& spec) {
  if (module_present(module_name(spec.name))) return {spec, true, "loaded"};
  const std::string release = describe_machine().kernel_release;
  if (module_loadable(spec.name, release)) {
    return {spec, true, "loadable module"};
  }
  return {spec, false,
          "kernel " + release + " has no module " + spec.name + remedy(spec)};
}

}  // namespace

RequirementState check_requirement(const RequirementSpec& spec) {
  switch (spec.kind) {
    case COWBENCH_NEEDS_TOOL:
      return check_tool(spec);
    case COWBENCH_NEEDS_FILESYSTEM:
      return check_filesystem(spec);
    case COWBENCH_NEEDS_MODULE:
      return check_module(spec);
    default:
      return {spec, false,
              spec.name + ": a kind of need that this version does not know"};
  }
}

std::vector<std::string> missing_requirements(
    const Plugin& plugin, const std::map<std::string, std::string>& not_built) {
  std::vector<std::string> missing;
  for (const RequirementSpec& spec : plugin.requirements) {
    const RequirementState state = check_requirement(spec);
    if (state.met) continue;
    const auto reason = not_built.find(spec.name);
    missing.push_back(
        plugin.name + ": " +
        (spec.kind == COWBENCH_NEEDS_TOOL || reason == not_built.end()
             ? state.detail
             : "kernel " + describe_machine().kernel_release + " has no " +
                   spec.name +
                   ": building it for the guest failed: " + reason->second));
  }
  return missing;
}

std::vector<std::string> missing_requirements(const JobPlan& job,
                                              const Catalog& catalog) {
  std::set<std::string> missing;
  const auto require = [&](const Plugin* plugin) {
    if (plugin == nullptr) return;
    for (std::string& text :
         missing_requirements(*plugin, job.guest.not_built)) {
      missing.insert(std::move(text));
    }
  };
  for (const LayerUse& layer : job.stack.layers) {
    require(catalog.layer(layer.use));
  }
  for (const PhaseUse& phase : job.profile.phases) {
    require(catalog.phase(phase.name));
  }
  return {missing.begin(), missing.end()};
}

}  // namespace cowbench
