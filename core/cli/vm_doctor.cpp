// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>

#include "base/json.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "cli/common.hpp"
#include "cli/vm.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/filesystem.hpp"
#include "vm/accelerator.hpp"
#include "vm/apt.hpp"
#include "vm/build.hpp"
#include "vm/virtual_machine.hpp"

namespace cowbench {

namespace {

constexpr char kDefaultRecipe[] = "trixie";
// The part of apt that fetches one file, with apt's own proxy.
constexpr char kFetcher[] = "/usr/lib/apt/apt-helper";

struct Finding {
  std::string name;
  bool good = false;
  std::string detail;
  bool needed = true;  // false: worth knowing, but nothing is missing
};
using Findings = std::vector<Finding>;

Finding tools_finding(const Recipe& recipe) {
  std::vector<std::string> missing;
  std::vector<std::string> found;
  for (const NeededTool& tool : needed_tools(recipe)) {
    if (tool.found) {
      found.push_back(tool.program);
    } else {
      missing.push_back(tool.program + " (package " + tool.package + ")");
    }
  }
  return {"programs to build with", missing.empty(),
          missing.empty() ? join(found, ", ")
                          : "not installed: " + join(missing, ", ")};
}

Finding emulator_finding() {
  auto version = emulator_version();
  if (version) return {"emulator", true, "QEMU " + *version};
  return {"emulator", false, version.error().message()};
}

Finding mirror_finding(const std::string& given, const Recipe& recipe) {
  std::string mirror = given;
  if (mirror.empty()) {
    auto found = host_mirror();
    if (!found) return {"mirror", false, found.error().message()};
    mirror = *found;
  }
  const std::string url = mirror + "/dists/" + recipe.suite + "/InRelease";
  std::error_code error;
  const std::string copy = (std::filesystem::temp_directory_path(error) /
                            ("cowbench-mirror-" + std::to_string(getpid())))
                               .string();
  Command fetch;
  fetch.argv = {kFetcher,        "-o", "APT::Sandbox::User=root",
                "download-file", url,  copy};
  fetch.timeout_ns = 20 * kNsPerSecond;
  auto ran = run_command(fetch);
  (void)remove_tree(copy);
  if (!ran) return {"mirror", false, ran.error().message()};
  if (ran->succeeded()) return {"mirror", true, mirror + " answers"};
  const std::string why = apt_reason(ran->err);
  return {"mirror", false,
          mirror + " does not answer: " + (why.empty() ? ran->ending() : why)};
}

Finding space_finding(const std::string& cache, const Recipe& recipe) {
  auto facts = filesystem_facts(cache);
  if (!facts) return {"space", false, facts.error().message()};
  const bool enough = facts->available_bytes >= recipe.space_bytes;
  return {"space", enough,
          cache + ": " + format_size(facts->available_bytes) +
              " free, a build needs " + format_size(recipe.space_bytes)};
}

Findings guest_findings(const GuestList& list) {
  Findings findings;
  for (const GuestImage& guest : list.guests) {
    std::string detail = "kernel " + guest.kernel_release + ", " +
                         format_size(guest.bytes) + ", built " + guest.built_at;
    for (const ExtraModule& module : guest.extra_modules) {
      detail += "; " + module.name + " " + module.version + " " +
                module.outcome +
                (module.reason.empty() ? "" : ": " + module.reason);
    }
    for (const std::string& module : guest.missing_modules) {
      detail += "; no module " + module;
    }
    findings.push_back({"guest " + guest.name, true, detail});
  }
  for (const UnusableGuest& guest : list.unusable) {
    findings.push_back({"guest", false, guest.reason});
  }
  if (list.guests.empty()) {
    findings.push_back(
        {"guest", false, "there is none; build one: cowbench vm build"});
  }
  return findings;
}

Finding acceleration_finding(const GuestList& list, const std::string& cache) {
  Finding finding{"acceleration", false, "", false};
  if (!path_exists("/dev/kvm")) {
    finding.detail = "there is no /dev/kvm: guests are emulated, and slow";
    return finding;
  }
  auto version = emulator_version();
  if (!version || list.guests.empty()) {
    finding.detail =
        "/dev/kvm is there; whether it works shows when a guest "
        "has been booted";
    return finding;
  }
  const Accelerator known =
      known_accelerator("auto", list.guests.front(), *version, cache);
  finding.good = known.name == "kvm";
  if (known.name.empty()) {
    finding.detail =
        "/dev/kvm is there; whether it works shows when a guest "
        "has been booted";
  } else {
    finding.detail = finding.good ? "KVM has booted a guest here"
                                  : "guests are emulated: " + known.reason;
  }
  return finding;
}

void print_findings(const Findings& findings, bool as_json) {
  if (!as_json) {
    std::string text;
    for (const Finding& finding : findings) {
      text += std::string(finding.good     ? "  ok       "
                          : finding.needed ? "  MISSING  "
                                           : "  note     ") +
              finding.name + ": " + finding.detail + "\n";
    }
    print(text);
    return;
  }
  JsonWriter json;
  json.begin_object().key("findings").begin_array();
  for (const Finding& finding : findings) {
    json.begin_object()
        .field("name", finding.name)
        .field("ok", finding.good)
        .field("needed", finding.needed)
        .field("detail", finding.detail)
        .end_object();
  }
  print(json.end_array().end_object().text() + "\n");
}

}  // namespace

int vm_doctor(const CommandLine& line, const VmWords& words) {
  const std::string name = words.empty() ? kDefaultRecipe : words.front();
  auto found = find_recipe(config_library_of(line), name);
  if (auto* problems = std::get_if<Problems>(&found)) {
    return fail({problems_text(*problems)}, kExitUsage);
  }
  const Recipe& recipe = std::get<Recipe>(found);
  const std::string cache = guest_cache_folder(line.text("cache-dir"));
  const GuestList guests =
      list_guests(guest_cache_folders(line.text("cache-dir")));
  Findings findings = {tools_finding(recipe), emulator_finding(),
                       mirror_finding(line.text("mirror"), recipe),
                       space_finding(cache, recipe),
                       acceleration_finding(guests, cache)};
  for (Finding& finding : guest_findings(guests)) {
    findings.push_back(std::move(finding));
  }
  print_findings(findings, line.has("json"));
  for (const Finding& finding : findings) {
    if (!finding.good && finding.needed) return kExitEnvironment;
  }
  return kExitOk;
}

}  // namespace cowbench
