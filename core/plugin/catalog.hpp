// SPDX-License-Identifier: Apache-2.0
// Finds, screens and loads plugin libraries, and describes what they offer.
#pragma once

#include <cowbench/abi/ability.h>
#include <cowbench/abi/plugin.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/vocabulary.hpp"

namespace cowbench {

struct MetricSpec {
  std::string key, unit, label, definition;
  int better = 0;  // 1 higher, -1 lower, 0 neither
  std::uint32_t method_version = 1;
  bool detail = false;
};

struct RequirementSpec {
  int kind = COWBENCH_NEEDS_TOOL;
  std::string name, package;
};

// One plugin of a loaded library. The tables are copies, complete whatever
// their age: a slot that the plugin's header did not have is null.
struct Plugin {
  enum class Kind { kLayer, kPhase, kOther };

  Kind kind = Kind::kOther;
  std::string id, name, version, summary, licence, home_page;
  std::filesystem::path path;  // of the library
  std::string sdk_version, compiler, build_type;
  std::uint32_t abi_major = 0, abi_minor = 0;

  std::vector<OptionSpec> options;
  std::vector<RequirementSpec> requirements;
  std::vector<MetricSpec> metrics;             // phases
  std::vector<std::string> needed_abilities;   // phases
  std::vector<std::string> offered_abilities;  // layers
  cowbench_layer layer{};                      // valid when kind is kLayer
  cowbench_phase phase{};                      // valid when kind is kPhase
  const void* (*interface)(const char*) = nullptr;
};

// A file that was not loaded, and the one sentence that says why.
struct Refusal {
  std::filesystem::path path;
  std::string reason;  // "is not an ELF file"

  std::string sentence() const { return path.string() + ": " + reason; }
};

struct PluginSearch {
  std::vector<std::filesystem::path> files;        // explicit, first
  std::vector<std::filesystem::path> directories;  // in order
  std::vector<std::string> warnings;               // of the search itself
  // How long one library may take to describe itself.
  std::chrono::milliseconds patience{5000};
  // An earlier process has loaded these libraries and survived it: spares the
  // child process for each. For a worker, whose own crash costs only itself.
  bool examined = false;
  // Owners and modes of files say nothing here: the host of this guest has
  // looked at them.
  bool trusted = false;
};

struct Description;

// Immutable once loaded; libraries stay loaded until exit. Loading never
// fails as a whole: one bad file is a refusal and the others go on.
class Catalog {
 public:
  static Catalog load(const PluginSearch& search);

  const std::vector<Plugin>& plugins() const { return plugins_; }
  const std::vector<Refusal>& refusals() const { return refusals_; }
  // A later plugin with an id or name already taken: both files named.
  const std::vector<std::string>& warnings() const { return warnings_; }

  const Plugin* layer(std::string_view name) const;
  const Plugin* phase(std::string_view name) const;
  Vocabulary vocabulary() const;

 private:
  void add(const std::filesystem::path& file, Result<Description> loaded);

  std::vector<Plugin> plugins_;
  std::vector<Refusal> refusals_;
  std::vector<std::string> warnings_;
};

// The search order: --plugin-dir (given), COWBENCH_PLUGIN_PATH (ignored, with
// a warning in the catalogue, when running with raised privileges), then the
// directory beside the program, <exe>/../<libdir>/cowbench/plugins.
PluginSearch default_plugin_search(
    const std::vector<std::filesystem::path>& given);

}  // namespace cowbench
