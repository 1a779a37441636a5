// SPDX-License-Identifier: Apache-2.0
#include "plugin/search.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;

namespace {

using Paths = std::vector<std::filesystem::path>;

SearchContext context_of(const char* plugin_path) {
  SearchContext context;
  context.program = "/opt/cow/bin/cowbench";
  if (plugin_path != nullptr) context.plugin_path = plugin_path;
  return context;
}

// The last one is relative to the program and named by the build.
Paths but_last(Paths all) {
  all.pop_back();
  return all;
}

}  // namespace

TEST_CASE("directories come in the documented order") {
  const PluginSearch search =
      plugin_search({"/given"}, context_of("/from/env:/more"));
  CHECK(but_last(search.directories) == Paths{"/given", "/from/env", "/more"});
  const std::string last = search.directories.back().string();
  CHECK_THAT(last, Catch::StartsWith("/opt/cow/") &&
                       Catch::EndsWith("/cowbench/plugins"));
  CHECK(search.warnings.empty());
}

TEST_CASE("a given file is a file and no directory") {
  const PluginSearch search =
      plugin_search({"/proc/self/exe"}, context_of(nullptr));
  CHECK(search.files == Paths{"/proc/self/exe"});
  CHECK(but_last(search.directories).empty());
}

TEST_CASE("raised privileges ignore the environment with a warning") {
  SearchContext context = context_of("/from/env");
  context.privileges_raised = true;
  const PluginSearch search = plugin_search({"/given"}, context);
  CHECK(but_last(search.directories) == Paths{"/given"});
  CHECK(search.warnings ==
        std::vector<std::string>{
            "COWBENCH_PLUGIN_PATH is ignored because cowbench runs with "
            "raised privileges: name the directory with --plugin-dir"});
}

TEST_CASE("relative entries of the environment are ignored with a warning") {
  const PluginSearch search = plugin_search({}, context_of("plugins:/abs"));
  CHECK(but_last(search.directories) == Paths{"/abs"});
  CHECK(search.warnings ==
        std::vector<std::string>{"\"plugins\" in COWBENCH_PLUGIN_PATH is "
                                 "ignored: it is not an absolute path"});
}

TEST_CASE("an empty environment variable is none") {
  const PluginSearch search = plugin_search({}, context_of(""));
  CHECK(search.directories.size() == 1);
  CHECK(search.warnings.empty());
}
