// SPDX-License-Identifier: Apache-2.0
#include "plugin/catalog.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include "plugin/description.hpp"
#include "plugin/elf.hpp"
#include "plugin/examine.hpp"
#include "plugin/library.hpp"
#include "plugin/trust.hpp"

namespace cowbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEntryPrefix = "cowbench_entry_v";

Error refusal(const std::string& message) {
  return Error(Category::kUnsupported, message);
}

// The libraries of a directory, sorted, so that the order does not depend on
// how its filesystem lists names.
std::vector<fs::path> libraries_in(const fs::path& directory,
                                   std::vector<std::string>& warnings) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".so") found.push_back(entry->path());
  }
  if (error) {
    warnings.push_back("no plugins from " + directory.string() + ": " +
                       error.message());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Looks without loading: a foreign library's constructors must not run.
Status screen(const fs::path& file) {
  const Result<std::vector<std::string>> symbols = exported_symbols(file);
  if (!symbols) return symbols.error();
  std::string other;
  for (const std::string& symbol : *symbols) {
    if (symbol == COWBENCH_ENTRY_SYMBOL) return {};
    if (symbol.starts_with(kEntryPrefix)) other = symbol;
  }
  if (other.empty()) {
    return refusal(
        "is no cowbench plugin: it does not export " COWBENCH_ENTRY_SYMBOL);
  }
  return refusal(
      "is built for plugin ABI major " + other.substr(kEntryPrefix.size()) +
      ", but this cowbench takes major " + std::to_string(COWBENCH_ABI_MAJOR) +
      ": rebuild it with this cowbench's SDK");
}

// A file on its way into the catalogue.
struct Candidate {
  fs::path file;
  // Nothing when it has been examined before.
  Result<std::optional<Examination>> examination;
};

// Everything that needs no code of the library, then a child that runs it.
Result<std::optional<Examination>> begin_examination(
    const fs::path& file, const std::vector<uid_t>& owners,
    const PluginSearch& search) {
  if (const Status status = screen(file); !status) return status.error();
  if (!search.trusted) {
    if (const Status status = check_trusted(file, owners); !status) {
      return status.error();
    }
  }
  if (search.examined) return std::optional<Examination>();
  Result<Examination> started = Examination::start(file);
  if (!started) return started.error();
  return std::optional<Examination>(*std::move(started));
}

Result<Description> finish_loading(Candidate& candidate,
                                   std::chrono::milliseconds patience) {
  if (!candidate.examination) return candidate.examination.error();
  if (std::optional<Examination>& child = *candidate.examination) {
    if (const Status verdict = child->verdict(patience); !verdict) {
      return verdict.error();
    }
  }
  const Result<Library> library = load_library(candidate.file);
  if (!library) return library.error();
  return describe(library->entry, candidate.file);
}

const Plugin* named(const std::vector<Plugin>& plugins, Plugin::Kind kind,
                    std::string_view name) {
  for (const Plugin& plugin : plugins) {
    if (plugin.kind == kind && plugin.name == name) return &plugin;
  }
  return nullptr;
}

// Why `plugin` is shadowed by an earlier one; empty when it is not.
std::string shadowed(const std::vector<Plugin>& earlier, const Plugin& plugin) {
  const auto sentence = [&](const Plugin& first, const std::string& what) {
    return "plugin \"" + plugin.id + "\" of " + plugin.path.string() +
           " is ignored: " + first.path.string() +
           ", found earlier, has the same " + what;
  };
  for (const Plugin& first : earlier) {
    if (first.id == plugin.id) return sentence(first, "id");
  }
  if (const Plugin* first = named(earlier, plugin.kind, plugin.name)) {
    return sentence(*first, "name \"" + plugin.name + "\"");
  }
  return {};
}

}  // namespace

Catalog Catalog::load(const PluginSearch& search) {
  Catalog catalog;
  catalog.warnings_ = search.warnings;
  std::vector<fs::path> paths = search.files;
  for (const fs::path& directory : search.directories) {
    const std::vector<fs::path> more =
        libraries_in(directory, catalog.warnings_);
    paths.insert(paths.end(), more.begin(), more.end());
  }
  const std::vector<uid_t> owners = trusted_owners();
  std::set<fs::path> seen;
  std::vector<Candidate> candidates;
  for (const fs::path& path : paths) {
    std::error_code error;
    // What is checked is what is loaded: no link can be turned in between.
    const fs::path file = fs::canonical(path, error);
    if (error) {
      candidates.push_back(
          {path, refusal("cannot be read: " + error.message())});
    } else if (seen.insert(file).second) {
      candidates.push_back({file, begin_examination(file, owners, search)});
    }
  }
  for (Candidate& candidate : candidates) {
    catalog.add(candidate.file, finish_loading(candidate, search.patience));
  }
  return catalog;
}

void Catalog::add(const fs::path& file, Result<Description> loaded) {
  if (!loaded) {
    refusals_.push_back({file, loaded.error().message()});
    return;
  }
  for (std::string& fault : loaded->faults) {
    refusals_.push_back({file, std::move(fault)});
  }
  for (Plugin& plugin : loaded->plugins) {
    std::string reason = shadowed(plugins_, plugin);
    if (reason.empty()) {
      plugins_.push_back(std::move(plugin));
    } else {
      warnings_.push_back(std::move(reason));
    }
  }
}

const Plugin* Catalog::layer(std::string_view name) const {
  return named(plugins_, Plugin::Kind::kLayer, name);
}

const Plugin* Catalog::phase(std::string_view name) const {
  return named(plugins_, Plugin::Kind::kPhase, name);
}

Vocabulary Catalog::vocabulary() const {
  Vocabulary vocabulary;
  for (const Plugin& plugin : plugins_) {
    if (plugin.kind == Plugin::Kind::kLayer) {
      vocabulary.layers[plugin.name] = {
          plugin.name, plugin.layer.output == COWBENCH_OUTPUT_MOUNT,
          plugin.layer.minimum_devices, plugin.layer.maximum_devices,
          plugin.options};
    } else if (plugin.kind == Plugin::Kind::kPhase) {
      vocabulary.phases[plugin.name] = {
          plugin.name, plugin.phase.stage == COWBENCH_STAGE_BEFORE_STACK,
          plugin.options};
    }
  }
  return vocabulary;
}

}  // namespace cowbench
