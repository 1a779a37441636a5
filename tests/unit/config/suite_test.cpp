// SPDX-License-Identifier: Apache-2.0
#include "config/suite.hpp"

#include <catch2/catch.hpp>

using cowbench::check_suite;
using cowbench::Suite;

namespace {

std::string problems(const char* text) {
  const auto checked = check_suite(text, "some/pair.json");
  REQUIRE(checked.index() == 1);
  return cowbench::problems_text(std::get<1>(checked));
}

}  // namespace

TEST_CASE("a suite is its stacks, in order") {
  const auto checked = check_suite(
      R"({"name": "pair", "summary": "two", "stacks": ["b-two", "a/one"]})",
      "some/pair.json");
  REQUIRE(checked.index() == 0);
  const Suite& suite = std::get<Suite>(checked);
  CHECK(suite.name == "pair");
  CHECK(suite.summary == "two");
  CHECK(suite.stacks == std::vector<std::string>{"b-two", "a/one"});
}

TEST_CASE("a suite's problems come all at once") {
  const std::string text =
      problems(R"({"name": "other", "stack": 1, "stacks": ["one", 2, "one"]})");
  CHECK_THAT(text, Catch::Contains("unknown key \"stack\""));
  CHECK_THAT(text, Catch::Contains("summary"));
  CHECK_THAT(text, Catch::Contains("\"one\" stands twice"));
  CHECK_THAT(text, Catch::Contains("/stacks/1"));
  CHECK_THAT(text, Catch::Contains("other"));
}

TEST_CASE("a suite is neither empty nor broken") {
  CHECK_THAT(problems(R"({"name": "pair", "summary": "x", "stacks": []})"),
             Catch::Contains("at least one stack"));
  CHECK_FALSE(problems("{").empty());
  CHECK_THAT(problems("[]"), Catch::Contains("object"));
}
