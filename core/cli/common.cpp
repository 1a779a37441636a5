// SPDX-License-Identifier: Apache-2.0
#include "cli/common.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"
#include "result/fold.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

std::vector<std::filesystem::path> paths_of(
    const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void add_format_options(options::options_description& description) {
  description.add_options()(
      "format,f",
      options::value<std::string>()->default_value("text")->value_name("NAME"),
      "text, markdown, csv or json")("json", "the same as --format json");
}

Format format_of(const CommandLine& line, std::vector<std::string>& faults) {
  const std::vector<std::string> formats = {"text", "markdown", "csv", "json"};
  if (line.has("json")) return Format::kJson;
  const std::string name = line.text("format");
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (name == formats[i]) return static_cast<Format>(i);
  }
  faults.push_back("--format " + name + ": there is no such format" +
                   did_you_mean(name, formats) + "; give one of " +
                   join(formats, ", "));
  return Format::kText;
}

void add_search_options(options::options_description& description) {
  description.add_options()(
      "plugin-dir",
      options::value<std::vector<std::string>>()->composing()->value_name(
          "DIR"),
      "look for plugins here first (repeatable)")(
      "config-dir",
      options::value<std::vector<std::string>>()->composing()->value_name(
          "DIR"),
      "look for stacks/ and profiles/ here first (repeatable)");
}

void add_state_option(options::options_description& description) {
  description.add_options()(
      "state-dir", options::value<std::string>()->value_name("DIR"),
      "ledgers and mount points (default: $COWBENCH_STATE_DIR, else "
      "/var/lib/cowbench; without root and in guests "
      "$XDG_STATE_HOME/cowbench or ~/.local/state/cowbench)");
}

PluginSearch plugin_search_of(const CommandLine& line) {
  return default_plugin_search(paths_of(line.texts("plugin-dir")));
}

Catalog load_catalog(const PluginSearch& search) {
  Catalog catalog = Catalog::load(search);
  for (const Refusal& refusal : catalog.refusals()) {
    complain("plugin not loaded: " + refusal.sentence());
  }
  for (const std::string& warning : catalog.warnings()) complain(warning);
  return catalog;
}

ConfigLibrary config_library_of(const CommandLine& line) {
  return ConfigLibrary(
      default_config_search(paths_of(line.texts("config-dir"))));
}

void conclude_dead_job(const CleanedLedger& ledger) {
  const std::string& results = ledger.header.results;
  if (results.empty() || !path_exists(results + "/events.jsonl")) return;
  if (Status folded = refold(results); !folded) {
    complain(results + ": " + folded.error().message());
  }
}

std::string state_folder_of(const CommandLine& line, bool unprivileged) {
  std::string folder = line.text("state-dir");
  if (folder.empty()) folder = variable("COWBENCH_STATE_DIR");
  if (folder.empty() && unprivileged && geteuid() != 0) {
    const std::string base = variable("XDG_STATE_HOME");
    const std::string home = variable("HOME");
    if (!base.empty()) {
      folder = base + "/cowbench";
    } else if (!home.empty()) {
      folder = home + "/.local/state/cowbench";
    }
  }
  if (folder.empty()) folder = "/var/lib/cowbench";
  return std::filesystem::absolute(folder).lexically_normal().string();
}

}  // namespace cowbench
