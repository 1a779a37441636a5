// SPDX-License-Identifier: Apache-2.0
// The stacks and profiles that come with the program, against the plugins that
// come with it.
#include <catch2/catch.hpp>

#include "config/library.hpp"
#include "config/located_json.hpp"
#include "config/profile.hpp"
#include "config/stack.hpp"
#include "config/suite.hpp"
#include "plugin/catalog.hpp"
#include "schema.hpp"

using cowbench::ConfigKind;

namespace {

const cowbench::Vocabulary& shipped() {
  static const cowbench::Vocabulary vocabulary = [] {
    cowbench::PluginSearch search;
    search.directories = {COWBENCH_PLUGIN_DIR};
    const cowbench::Catalog catalog = cowbench::Catalog::load(search);
    for (const auto& refusal : catalog.refusals()) {
      FAIL_CHECK(refusal.path.string() + ": " + refusal.reason);
    }
    return catalog.vocabulary();
  }();
  return vocabulary;
}

std::vector<cowbench::ConfigFile> files(ConfigKind kind) {
  auto found = cowbench::ConfigLibrary({COWBENCH_CONFIG_DIR}).list(kind);
  REQUIRE_FALSE(found.empty());
  return found;
}

template <typename T>
T accepted(const cowbench::Checked<T>& checked) {
  if (checked.index() == 1) {
    FAIL(cowbench::problems_text(std::get<1>(checked)));
  }
  return std::get<0>(checked);
}

}  // namespace

TEST_CASE("shipped stacks are accepted") {
  const cowbench_test::Schema schema("stack");
  for (const auto& file : files(ConfigKind::kStack)) {
    INFO(file.path);
    CHECK(schema.fault(file.text) == "");
    accepted(cowbench::check_stack(file.text, file.path.string(), shipped()));
  }
}

TEST_CASE("shipped profiles are accepted") {
  const cowbench_test::Schema schema("profile");
  for (const auto& file : files(ConfigKind::kProfile)) {
    INFO(file.path);
    CHECK(schema.fault(file.text) == "");
    accepted(
        cowbench::check_profile(file.text, file.path.string(), shipped(), {}));
  }
}

TEST_CASE("shipped stacks give a reason for what is not a default") {
  for (const auto& file : files(ConfigKind::kStack)) {
    const auto stack = accepted(
        cowbench::check_stack(file.text, file.path.string(), shipped()));
    for (const auto& layer : stack.layers) {
      for (const auto& spec : shipped().layers.at(layer.use).options) {
        const auto value = layer.options.find(spec.key);
        if (value == layer.options.end()) continue;
        const auto standard =
            cowbench::parse_option(spec, spec.default_value.value_or(""));
        if (standard.index() == 0 && std::get<0>(standard) == value->second) {
          continue;
        }
        INFO(file.path << ": " << layer.as << "." << spec.key);
        CHECK(stack.why.count(layer.as + "." + spec.key) == 1);
      }
    }
  }
}

TEST_CASE("shipped suites name shipped stacks") {
  const cowbench_test::Schema schema("suite");
  const cowbench::ConfigLibrary library({COWBENCH_CONFIG_DIR});
  for (const auto& file : files(ConfigKind::kSuite)) {
    INFO(file.path);
    CHECK(schema.fault(file.text) == "");
    const auto suite =
        accepted(cowbench::check_suite(file.text, file.path.string()));
    for (const std::string& stack : suite.stacks) {
      INFO(stack);
      CHECK(library.find(ConfigKind::kStack, stack).index() == 0);
    }
  }
}

TEST_CASE("shipped profiles explain every option of their phases") {
  for (const auto& file : files(ConfigKind::kProfile)) {
    const auto profile = accepted(
        cowbench::check_profile(file.text, file.path.string(), shipped(), {}));
    const auto json = cowbench::parse_located_json(file.text, "");
    for (const auto& phase : profile.phases) {
      for (const auto& spec : shipped().phases.at(phase.name).options) {
        INFO(file.path << ": " << phase.name << "." << spec.key);
        CHECK(json.root.find("settings")->find(phase.name + "." + spec.key) !=
              nullptr);
      }
    }
  }
}
