// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/json.hpp"
#include "report/summary.hpp"
#include "sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

Summary two_stacks() {
  return summarise({repetition(1, "800"), repetition(2, "830"),
                    sample("withheld", {{"mirror-a", "mirror-b"}})},
                   {});
}

}  // namespace

TEST_CASE("the text shows conditions and table and footnotes") {
  CHECK(summary_text(two_stacks(), 0) == expected("summary.txt"));
}

TEST_CASE("the CSV has a record for each metric and column") {
  const std::string csv = summary_csv(two_stacks());
  CHECK_THAT(csv, Catch::StartsWith("column,stack,profile,phase,key,"));
  CHECK_THAT(csv, Catch::Contains(
                      "\r\nmirror-a,mirror-a,smoke,throughput,seqwrite_mbps,"
                      "Stream write,MiB/s,higher,2,815,800,830,15,,,,\r\n"));
  CHECK_THAT(csv,
             Catch::Contains("\r\nmirror-b,mirror-b,smoke,sourcetree,"
                             "smalltree_cp_ms,\"Copy tree, cold\",ms,lower,0,"
                             ",,,,,,,1 withheld: served from cache: the "
                             "members read 1 MiB of at least 8.6 MiB\r\n"));
}

TEST_CASE("the JSON says all that the text says") {
  const auto json = parse_json(summary_json(two_stacks()));
  REQUIRE(json);
  CHECK(string_at(*json, "schema") == "cowbench-summary");
  CHECK((*json)["columns"].Size() == 2);
  CHECK((*json)["conditions"].Size() == 9);
  CHECK((*json)["notes"].Size() == 1);
  const JsonValue& row = (*json)["rows"][1];
  CHECK(string_at(row, "key") == "seqwrite_mbps");
  const JsonValue& cell = row["cells"][0];
  CHECK(uint_at(cell, "n") == 2);
  CHECK(double_at(cell, "median") == 815.0);
  CHECK(cell["interval"].IsNull());
  CHECK(cell["values"].Size() == 2);
  const JsonValue& withheld = (*json)["rows"][4]["cells"][1];
  CHECK(withheld["median"].IsNull());
  CHECK(string_at(withheld["shortfalls"][0], "outcome") == "withheld");
}

TEST_CASE("the Markdown has a table and the conditions") {
  const std::string text = summary_markdown(two_stacks());
  CHECK_THAT(text, Catch::StartsWith(
                       "| metric | unit | better | mirror-a | mirror-b |\n"
                       "|:--|:--|:--|--:|--:|\n"
                       "| **calibration** | | | | |\n"));
  CHECK_THAT(text, Catch::Contains("\n- [1] withheld: served from cache"));
  CHECK_THAT(text, Catch::Contains("\n- machine: Example CPU 3000, 2 cores"));
}

TEST_CASE("negative ranges are readable") {
  SummaryCell cell;
  cell.values = {-4.0, 2.0};
  cell.statistics = describe(cell.values);
  CHECK(cell_text(cell) == "-1 (-4 to 2, n=2)");
}
