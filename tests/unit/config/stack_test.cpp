// SPDX-License-Identifier: Apache-2.0
// What a good stack file becomes. What makes a bad one: corpus_test.cpp.
#include "config/stack.hpp"

#include <catch2/catch.hpp>

#include "vocabulary.hpp"

using cowbench::ConfigValue;
using cowbench::Stack;

namespace {

Stack good(const std::string& name) {
  const std::string path = COWBENCH_FIXTURES "/config/good/" + name + ".json";
  auto checked = cowbench::check_stack(cowbench_test::read_file(path), path,
                                       cowbench_test::vocabulary());
  REQUIRE(checked.index() == 0);
  return std::get<0>(std::move(checked));
}

}  // namespace

TEST_CASE("a stack comes out with every option resolved") {
  const Stack stack = good("stack-complete");
  CHECK(stack.name == "stack-complete");
  CHECK(stack.family == "flat");
  CHECK(stack.stack_class == "single");
  CHECK(stack.published == "pool/mirror-1");
  CHECK(stack.minimum_member_bytes == 1610612736);
  REQUIRE(stack.groups.size() == 3);
  CHECK(stack.groups[0].name == "fast");
  CHECK(stack.groups[0].scale == 0.25);
  CHECK(stack.groups[0].model == "nvme");
  CHECK(stack.groups[1].count == 3);
  CHECK(stack.groups[2].name == cowbench::kSpareGroup);

  REQUIRE(stack.layers.size() == 2);
  CHECK(stack.layers[0].as == "slow-crypt");
  const auto& pool = stack.layers[1];
  CHECK(pool.use == "pool");
  CHECK(pool.as == "pool");
  CHECK(pool.on == std::vector<std::string>{"fast", "slow-crypt"});
  CHECK(pool.options.at("data") == ConfigValue(std::string("mirror")));
  CHECK(pool.options.at("lazy") == ConfigValue(true));
  CHECK(pool.options.at("fraction") == ConfigValue(0.5));
  CHECK(pool.options.at("depth") == ConfigValue(std::int64_t{3}));
  CHECK(pool.options.at("commit") == ConfigValue(std::int64_t{1'500'000'000}));
  CHECK(pool.options.at("features") ==
        ConfigValue(std::vector<std::string>{"one", "^two"}));
  CHECK(stack.why.at("slow-crypt.cipher") == "measures the mapping alone");
  CHECK(stack.why.at("pool.data") == "two copies");
  CHECK(stack.json.find("slow-crypt") != std::string::npos);
}

TEST_CASE("defaults are filled in and told from what was given") {
  const Stack stack = good("stack-layered");
  REQUIRE(stack.layers.size() == 3);
  CHECK(stack.layers[0].options.at("cipher") ==
        ConfigValue(std::string("aes")));
  CHECK(stack.layers[0].given.empty());
  CHECK(stack.layers[2].given ==
        std::vector<std::string>{"block_size", "label"});
  const Stack minimal = good("stack-minimal");
  CHECK(minimal.layers[0].options.at("block_size") ==
        ConfigValue(std::int64_t{4096}));
  CHECK(minimal.layers[0].options.count("label") == 0);
}

TEST_CASE("the name is compared only with a JSON file's") {
  const std::string text = cowbench_test::read_file(
      COWBENCH_FIXTURES "/config/good/stack-minimal.json");
  const auto vocabulary = cowbench_test::vocabulary();
  CHECK(cowbench::check_stack(text, "stdin", vocabulary).index() == 0);
  CHECK(cowbench::check_stack(text, "other.json", vocabulary).index() == 1);
}

TEST_CASE("a default that is not valid is the plugin's fault and reported") {
  auto vocabulary = cowbench_test::vocabulary();
  vocabulary.layers.at("flat").options[0].default_value = "1B";
  const auto checked = cowbench::check_stack(
      cowbench_test::read_file(COWBENCH_FIXTURES
                               "/config/good/stack-minimal.json"),
      "stack-minimal.json", vocabulary);
  REQUIRE(checked.index() == 1);
  CHECK(cowbench::problems_text(std::get<1>(checked)) ==
        "stack-minimal.json:7: /layers/0: the plugin declares a default of "
        "\"block_size\" that is not valid: \"1B\" is out of bounds: it must be "
        "from 1KiB to 64KiB\n");
}

TEST_CASE("without plugins a stack says so") {
  const auto checked = cowbench::check_stack(
      cowbench_test::read_file(COWBENCH_FIXTURES
                               "/config/good/stack-minimal.json"),
      "stack-minimal.json", {});
  REQUIRE(checked.index() == 1);
  CHECK(cowbench::problems_text(std::get<1>(checked)) ==
        "stack-minimal.json:7: /layers/0/use: no plugin offers a layer "
        "\"flat\"; no layer plugin is loaded\n");
}
