// SPDX-License-Identifier: Apache-2.0
#include "plugin/search.hpp"

#include <cstdlib>
#include <system_error>

#include "base/text.hpp"
#include "plugin/trust.hpp"

namespace cowbench {
namespace {

constexpr char kVariable[] = "COWBENCH_PLUGIN_PATH";

void add_from_environment(const SearchContext& context, PluginSearch& search) {
  if (!context.plugin_path || context.plugin_path->empty()) return;
  if (context.privileges_raised) {
    search.warnings.push_back(
        std::string(kVariable) +
        " is ignored because cowbench runs with raised privileges: name the "
        "directory with --plugin-dir");
    return;
  }
  for (const std::string& entry : split(*context.plugin_path, ':')) {
    const std::filesystem::path directory(entry);
    if (directory.is_absolute()) {
      search.directories.push_back(directory);
    } else {
      search.warnings.push_back("\"" + entry + "\" in " + kVariable +
                                " is ignored: it is not an absolute path");
    }
  }
}

}  // namespace

PluginSearch plugin_search(const std::vector<std::filesystem::path>& given,
                           const SearchContext& context) {
  PluginSearch search;
  for (const std::filesystem::path& path : given) {
    std::error_code ignored;
    const bool file = std::filesystem::is_regular_file(path, ignored);
    (file ? search.files : search.directories).push_back(path);
  }
  add_from_environment(context, search);
  search.directories.push_back(context.program.parent_path().parent_path() /
                               COWBENCH_PLUGIN_SUBDIR);
  return search;
}

PluginSearch default_plugin_search(
    const std::vector<std::filesystem::path>& given) {
  SearchContext context;
  std::error_code ignored;
  context.program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (const char* path = std::getenv(kVariable)) context.plugin_path = path;
  context.privileges_raised = privileges_raised();
  return plugin_search(given, context);
}

}  // namespace cowbench
