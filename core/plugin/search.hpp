// SPDX-License-Identifier: Apache-2.0
// Where plugins are looked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/catalog.hpp"

namespace cowbench {

// What the search order depends on, besides the command line.
struct SearchContext {
  std::filesystem::path program;           // the running executable
  std::optional<std::string> plugin_path;  // COWBENCH_PLUGIN_PATH
  bool privileges_raised = false;
};

// default_plugin_search() for a given context. Pure but for asking whether a
// given path is a file.
PluginSearch plugin_search(const std::vector<std::filesystem::path>& given,
                           const SearchContext& context);

}  // namespace cowbench
