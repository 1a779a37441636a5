// SPDX-License-Identifier: Apache-2.0
// What a summary puts together, keeps apart and warns of.
#include "report/summary.hpp"

#include <catch2/catch.hpp>

#include "sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

const SummaryRow& row_of(const Summary& summary, const std::string& key) {
  for (const SummaryRow& row : summary.rows) {
    if (row.key == key) return row;
  }
  throw std::runtime_error("no row " + key);
}

bool has_row(const Summary& summary, const std::string& key) {
  for (const SummaryRow& row : summary.rows) {
    if (row.key == key) return true;
  }
  return false;
}

std::string condition(const Summary& summary, const std::string& name) {
  for (const ConditionLine& line : summary.conditions) {
    if (line.name == name) return line.value;
  }
  return "(none)";
}

ResultDocument other_stack(const std::string& name = "mirror-b") {
  return sample("ok", {{"mirror-a", name}});
}

}  // namespace

TEST_CASE("no result gives an empty summary") {
  const Summary summary = summarise({}, {});
  CHECK(summary.columns.empty());
  CHECK(summary_text(summary, 80) == "There is no result to show.\n");
}

TEST_CASE("repetitions share a column and n counts jobs") {
  const Summary summary = summarise(
      {repetition(1, "800"), repetition(2, "820"), repetition(3, "830")}, {});
  REQUIRE(summary.columns.size() == 1);
  CHECK(summary.columns[0].heading == "mirror-a");
  CHECK(summary.columns[0].jobs == 3);
  const SummaryCell& cell = row_of(summary, "seqwrite_mbps").cells[0];
  REQUIRE(cell.statistics);
  CHECK(cell.statistics->n == 3);
  CHECK(cell.statistics->median == 820.0);
  CHECK(cell_text(cell) == "820 (800-830, n=3)");
  CHECK(summary.warnings.empty());
  CHECK(condition(summary, "jobs") == "mirror-a 3");
}

TEST_CASE("a single job is marked as such") {
  const Summary summary = summarise({sample("ok")}, {});
  CHECK(cell_text(row_of(summary, "fsync_p99_ms").cells[0]) == "4.25 (n=1)");
}

TEST_CASE("columns stand in the order asked for") {
  const std::vector<ResultDocument> documents = {
      other_stack("c"), other_stack("a"), other_stack("b")};
  const auto headings = [&](const std::vector<std::string>& stacks) {
    std::vector<std::string> texts;
    for (const auto& column : summarise(documents, {stacks, false}).columns) {
      texts.push_back(column.heading);
    }
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(headings({}) == Texts{"c", "a", "b"});
  CHECK(headings({"a", "b", "c"}) == Texts{"a", "b", "c"});
  CHECK(headings({"b", "absent"}) == Texts{"b", "c", "a"});
}

TEST_CASE("results of one stack under other settings are kept apart") {
  const Summary summary = summarise(
      {repetition(1, "800"),
       repetition(2, "900", {{"\"file_size\":67108864", "\"file_size\":7"}}),
       repetition(3, "810")},
      {});
  REQUIRE(summary.columns.size() == 2);
  CHECK(summary.columns[0].heading == "mirror-a #1");
  CHECK(summary.columns[1].heading == "mirror-a #2");
  const SummaryRow& row = row_of(summary, "seqwrite_mbps");
  CHECK(cell_text(row.cells[0]) == "805 (800-810, n=2)");
  CHECK(cell_text(row.cells[1]) == "900 (n=1)");
  REQUIRE(summary.warnings.size() == 1);
  CHECK(summary.warnings[0] ==
        "mirror-a #1 and mirror-a #2 are kept apart, as they differ in: "
        "throughput.file_size (67108864 / 7)");
}

TEST_CASE("each kind of difference keeps results of one stack apart") {
  const Changes differences = {
      {"6.1.0-27-amd64", "6.6.0"},
      {"\"profile\":\"smoke\"", "\"profile\":\"quick\""},
      {"\"method\":2", "\"method\":3"},
      {"\"version\":\"3.33\"", "\"version\":\"3.36\""},
      {"\"class\":\"mirror\"", "\"class\":\"single\""},
      {"{\"data\":\"mirror\"}", "{\"data\":\"single\"}"},
      {"\"direct_io\":true", "\"direct_io\":false"},
      {"\"unit\":\"MiB/s\"", "\"unit\":\"MB/s\""}};
  for (const auto& difference : differences) {
    CAPTURE(difference.first);
    const Summary summary =
        summarise({sample("ok"), sample("ok", {difference})}, {});
    CHECK(summary.columns.size() == 2);
    CHECK(summary.warnings.size() == 1);
  }
}

TEST_CASE("another date or run or label does not keep results apart") {
  const Summary summary =
      summarise({sample("ok"), sample("ok", {{"20261130-120000-7f3a", "later"},
                                             {"\"fixture\"", "\"\""},
                                             {"2026-11-30", "2026-12-01"}})},
                {});
  REQUIRE(summary.columns.size() == 1);
  CHECK(summary.columns[0].run_ids ==
        std::vector<std::string>{"20261130-120000-7f3a", "later"});
  CHECK(condition(summary, "runs") == "20261130-120000-7f3a (fixture), later");
  CHECK(condition(summary, "date") ==
        "2026-11-30T12:00:00Z to 2026-12-01T12:00:00Z");
}

TEST_CASE("columns of other machines stand beside each other with a warning") {
  const Summary summary = summarise(
      {sample("ok"), sample("ok", {{"mirror-a", "mirror-b"},
                                   {"\"cpu_cores\":2", "\"cpu_cores\":8"}})},
      {});
  REQUIRE(summary.warnings.size() == 1);
  CHECK(summary.warnings[0] ==
        "mirror-a and mirror-b are not comparable throughout, as they differ "
        "in: cores (2 / 8)");
}

TEST_CASE("stacks that only differ as stacks need no warning") {
  CHECK(summarise({sample("ok"), other_stack()}, {}).warnings.empty());
}

TEST_CASE("conditions vary from job to job and keep nothing apart") {
  const Summary summary = summarise(
      {sample("ok"),
       sample("ok", {{"\"read_bytes\":\"9437184\"", "\"read_bytes\":\"7\""}})},
      {});
  CHECK(summary.columns.size() == 1);
  CHECK(summary.warnings.empty());
}

TEST_CASE("a value that is a lower bound is marked") {
  const Summary summary = summarise(
      {sample("ok"), sample("ok", {{"\"read_bytes\":\"9437184\"",
                                    "\"lower_bound\":\"3 never began\""}})},
      {});
  REQUIRE(summary.columns.size() == 1);
  CHECK(cell_text(row_of(summary, "smalltree_cp_ms").cells[0]) ==
        "420 (420-420, n=2) [1]");
  REQUIRE(summary.notes.size() == 1);
  CHECK(summary.notes[0] == "a lower bound: 3 never began");
}

TEST_CASE("outcomes stand where there is no number") {
  const Summary summary = summarise({sample("withheld")}, {});
  CHECK(cell_text(row_of(summary, "smalltree_cp_ms").cells[0]) ==
        "withheld [1]");
  CHECK(summary.notes[0] ==
        "withheld: served from cache: the members read 1 MiB of at least 8.6 "
        "MiB");
  CHECK(condition(summary, "mark") ==
        "weak host [mirror-a r1]: stream write 140 MiB/s is below 300 MiB/s");
}

TEST_CASE("jobs without a value do not count in n but are told of") {
  const Summary summary =
      summarise({sample("ok"), sample("withheld"), sample("ok")}, {});
  const SummaryCell& cell = row_of(summary, "smalltree_cp_ms").cells[0];
  CHECK(cell_text(cell) == "420 (420-420, n=2) [1]");
  REQUIRE(cell.shortfalls.size() == 1);
  CHECK(cell.shortfalls[0].jobs == 1);
}

TEST_CASE("equal reasons share a footnote") {
  const Summary summary = summarise({sample("interrupted")}, {});
  CHECK(summary.notes.size() == 1);
  REQUIRE(summary.warnings.size() == 1);
  CHECK_THAT(summary.warnings[0],
             Catch::StartsWith("mirror-a r1 of run 20261130-120000-7f3a is "
                               "interrupted: the event log has no job-end"));
}

TEST_CASE("details and what was not requested are only shown on demand") {
  const Summary brief = summarise({sample("ok")}, {});
  CHECK_FALSE(has_row(brief, "seqwrite_depth"));
  CHECK_FALSE(has_row(brief, "largedir_create_ms"));
  CHECK(condition(brief, "not requested") == "largedir");

  const Summary all = summarise({sample("ok")}, {{}, true});
  CHECK(has_row(all, "seqwrite_depth"));
  CHECK(cell_text(row_of(all, "largedir_create_ms").cells[0]) ==
        "not-requested [1]");
  CHECK(condition(all, "not requested") == "(none)");
}

TEST_CASE("a metric that a column does not know is a dash") {
  const Summary summary = summarise(
      {sample("ok"), sample("ok", {{"mirror-a", "mirror-b"},
                                   {"fsync_p99_ms", "fsync_p50_ms"}})},
      {});
  CHECK(cell_text(row_of(summary, "fsync_p99_ms").cells[1]) == "-");
  CHECK(cell_text(row_of(summary, "fsync_p50_ms").cells[0]) == "-");
}

TEST_CASE("an interval is given from six jobs on") {
  std::vector<ResultDocument> documents;
  for (int i = 1; i <= 5; ++i) {
    documents.push_back(repetition(i, std::to_string(800 + i)));
  }
  const auto interval = [&] {
    return row_of(summarise(documents, {}), "seqwrite_mbps")
        .cells[0]
        .statistics->interval;
  };
  CHECK_FALSE(interval());
  documents.push_back(repetition(6, "806"));
  REQUIRE(interval());
  CHECK(interval()->low == 801.0);
  CHECK(interval()->high == 806.0);
}
