// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "cli/common.hpp"
#include "cli/vm.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/signals.hpp"
#include "vm/build.hpp"

namespace cowbench {

namespace {

constexpr char kDefaultRecipe[] = "trixie";
constexpr unsigned kMaximumJobs = 512;

// Names of folders: what of a suite, kernel or path may stand in one.
std::string slug(const std::string& text) {
  std::string name;
  for (const char c : std::filesystem::path(text).filename().string()) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      name += static_cast<char>(std::tolower(letter));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

// Other actions have a kernel by default; a build takes the recipe's.
std::string kernel_of(const CommandLine& line) {
  return line.values["kernel"].defaulted() ? "" : line.text("kernel");
}

std::string guest_name(const CommandLine& line, const Recipe& recipe) {
  std::string name = recipe.name;
  if (const std::string suite = slug(line.text("suite")); !suite.empty()) {
    name += "-" + suite;
  }
  const std::string kernel = kernel_of(line);
  if (kernel.empty()) return name;
  if (!is_kernel_path(kernel)) return name + "-" + slug(kernel);
  // Two paths may end alike.
  const std::string path = kernel_path(kernel);
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x",
                static_cast<unsigned>(fnv1a(path) & 0xffffffffU));
  return name + "-" + slug(path) + "-" + digits;
}

std::string stage_text(const StageReport& stage) {
  std::string text = stage.name + ": ";
  text +=
      stage.cached
          ? "cached"
          : format_duration(static_cast<std::uint64_t>(stage.seconds * 1e9));
  text += ", " + format_size(stage.bytes);
  if (!stage.note.empty()) text += ", " + stage.note;
  return text;
}

// The folder with the scripts that belong to the recipes.
Result<std::string> scripts_folder(const ConfigLibrary& library) {
  std::vector<std::string> places;
  for (const auto& directory : library.directories()) {
    const std::string folder = (directory / "guests").string();
    if (path_exists(folder + "/init/guest-init") &&
        path_exists(folder + "/build/root.sh")) {
      return folder;
    }
    places.push_back(folder);
  }
  return Error(Category::kEnvironment,
               "the scripts that make a guest (init/guest-init, "
               "build/root.sh) are not in " +
                   join(places, " or "));
}

std::string result_json(const BuildResult& result, double seconds) {
  JsonWriter json;
  json.begin_object()
      .field("name", result.guest.name)
      .field("key", result.guest.key)
      .field("cache", result.guest.cache)
      .field("kernel_release", result.guest.kernel_release)
      .field("nothing_to_do", result.nothing_to_do)
      .field("seconds", seconds)
      .field("bytes", result.guest.bytes);
  json.key("stages").begin_array();
  for (const StageReport& stage : result.stages) {
    json.begin_object()
        .field("name", stage.name)
        .field("cached", stage.cached)
        .field("seconds", stage.seconds)
        .field("bytes", stage.bytes)
        .end_object();
  }
  json.end_array().key("extra_modules").begin_array();
  for (const ExtraModule& module : result.guest.extra_modules) {
    json.begin_object()
        .field("name", module.name)
        .field("version", module.version)
        .field("outcome", module.outcome)
        .field("reason", module.reason)
        .field("log", module.log)
        .end_object();
  }
  json.end_array().key("missing_modules").begin_array();
  for (const std::string& name : result.guest.missing_modules) {
    json.value(name);
  }
  return json.end_array().end_object().text() + "\n";
}

std::string result_text(const BuildResult& result, double seconds) {
  const GuestImage& guest = result.guest;
  const std::string size = format_size(guest.bytes);
  std::string text = result.nothing_to_do
                         ? "nothing to do: guest " + guest.name + " is complete"
                         : "guest " + guest.name + " is built";
  text += " (kernel " + guest.kernel_release + ", " + size + ", " +
          format_duration(static_cast<std::uint64_t>(seconds * 1e9)) + ")\n";
  for (const ExtraModule& module : guest.extra_modules) {
    text += "  module " + module.name + " " + module.version + ": " +
            module.outcome +
            (module.reason.empty() ? "" : ": " + module.reason) + "\n";
  }
  return text;
}

Result<unsigned> jobs_of(const CommandLine& line) {
  if (!line.has("jobs")) {
    return std::max(1U, std::thread::hardware_concurrency());
  }
  const unsigned jobs = line.values["jobs"].as<std::uint32_t>();
  if (jobs >= 1 && jobs <= kMaximumJobs) return jobs;
  return Error(Category::kUsage, "vm build: --jobs must be from 1 to " +
                                     std::to_string(kMaximumJobs));
}

// A suite of the user's own replaces the recipe's for everything.
void replace_suite(Recipe& recipe, const std::string& suite) {
  if (suite.empty()) return;
  recipe.suite = suite;
  recipe.kernel.suite.clear();
  for (ModulePart& part : recipe.extra_modules) part.suite.clear();
}

void say(bool on_stderr, const std::string& text) {
  std::FILE* stream = on_stderr ? stderr : stdout;
  std::fputs((text + "\n").c_str(), stream);
  std::fflush(stream);
}

}  // namespace

void add_vm_build_options(options::options_description& description) {
  description.add_options()(
      "suite", options::value<std::string>()->value_name("SUITE"),
      "build: this suite of Debian in place of the recipe's; --kernel then "
      "takes a suite, a release or package of a kernel, or a path of packages "
      "or of a folder with unpacked ones")(
      "mirror", options::value<std::string>()->value_name("URL"),
      "build: fetch packages here (default: what this host's apt uses)")(
      "jobs,j", options::value<std::uint32_t>()->value_name("N"),
      "build: compile N files at once (default: one a processor)");
}

int vm_build(const CommandLine& line, const VmWords& words) {
  if (words.size() > 1) {
    return fail({"vm build: give one guest, found " + join(words, " ")},
                kExitUsage);
  }
  const ConfigLibrary library = config_library_of(line);
  auto found =
      find_recipe(library, words.empty() ? kDefaultRecipe : words.front());
  if (auto* problems = std::get_if<Problems>(&found)) {
    std::vector<std::string> texts;
    for (const Problem& problem : *problems) texts.push_back(problem.text());
    return fail(texts, kExitUsage);
  }
  auto scripts = scripts_folder(library);
  if (!scripts) return fail(scripts.error());
  auto jobs = jobs_of(line);
  if (!jobs) return fail(jobs.error());
  if (Status ready = install_signal_handlers(); !ready) {
    return fail(ready.error());
  }

  const bool json = line.has("json");
  BuildRequest request;
  request.recipe = std::get<Recipe>(std::move(found));
  request.guest_name = guest_name(line, request.recipe);
  replace_suite(request.recipe, line.text("suite"));
  request.cache = guest_cache_folder(line.text("cache-dir"));
  request.mirror = line.text("mirror");
  while (!request.mirror.empty() && request.mirror.back() == '/') {
    request.mirror.pop_back();
  }
  request.kernel = kernel_of(line);
  request.jobs = *jobs;
  request.scripts_folder = *scripts;
  request.ends = [json](const StageReport& stage) {
    say(json, stage_text(stage));
  };
  request.warn = [](const std::string& text) { complain(text); };
  request.should_stop = [] { return pending_signal() != 0; };
  const std::uint64_t started = now_ns();
  auto result = build_guest(request);
  if (!result) {
    const int code = fail(result.error());
    return pending_signal() != 0 ? 128 + pending_signal() : code;
  }
  const double seconds = static_cast<double>(now_ns() - started) / 1e9;
  print(json ? result_json(*result, seconds) : result_text(*result, seconds));
  return kExitOk;
}

}  // namespace cowbench
