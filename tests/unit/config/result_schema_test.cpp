// SPDX-License-Identifier: Apache-2.0
// The published schema of results against what the fold makes of stored logs.
#include <catch2/catch.hpp>

#include "result/fold.hpp"
#include "schema.hpp"

namespace {

std::string folded(const std::string& log) {
  const auto text = cowbench::fold_events(cowbench_test::read_file(
      COWBENCH_FIXTURES "/results/" + log + "/events.jsonl"));
  REQUIRE(text.ok());
  // Without blanks, whatever the fold's layout.
  return cowbench::JsonWriter().value(*cowbench::parse_json(*text)).text();
}

std::string replaced(std::string text, const std::string& from,
                     const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("every folded log obeys the schema of results") {
  const cowbench_test::Schema schema("result");
  for (const char* log :
       {"ok", "interrupted", "torn", "failed-phase", "withheld"}) {
    INFO(log);
    CHECK(schema.fault(folded(log)) == "");
  }
}

TEST_CASE("the schema of results sees what is wrong") {
  const cowbench_test::Schema schema("result");
  const std::string good = folded("ok");
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{
           {"\"schema_version\":1", "\"schema_version\":2"},
           {"\"left_over\":", "\"leftover\":"},
           {"\"outcome\":\"ok\"", "\"outcome\":\"fine\""},
           {"\"outcome\":\"ok\"", "\"outcome\":\"failed\""},
           {"\"duration_ns\":", "\"duration_ms\":"},
           {"\"kind\":\"loop\"", "\"kind\":\"tape\""},
           {"\"better\":\"higher\"", "\"better\":\"up\""},
           {"\"n\":", "\"n\":-"},
           {"\"samples\":[", "\"samples\":[\"x\","}}) {
    INFO(from << " -> " << to);
    CHECK(schema.fault(replaced(good, from, to)) != "");
  }
}
