// SPDX-License-Identifier: Apache-2.0
#include "report/show.hpp"

#include <catch2/catch.hpp>

#include "sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

TEST_CASE("show renders every part of a result") {
  const std::string text = show_text(sample("ok"), 0);
  for (const char* part :
       {"mirror-a r1: ok\n", "20261130-120000-7f3a (fixture)",
        "1 of 1 in the run, seed 18446744073709551557",
        "took                     5.3 s", "Example CPU 3000", "generator",
        "data_profile=mirror", "rw,noatime", "/dev/loop1, 1 GiB, loop",
        "Phase throughput: ok", "file_size=67108864",
        "2.5 s, of it quiescing 250 ms", "800 to 830, MAD 12.5",
        "written_bytes=67108864", "write amplification      3", "used 64 MiB",
        "Phase largedir: not-requested: left out of this run", "teardown"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}

TEST_CASE("show tells of failures and their evidence") {
  const std::string text = show_text(sample("failed-phase"), 0);
  for (const char* part :
       {"mirror-a r1: failed: 1 phase failed: throughput",
        "Phase throughput: failed: stalled: no progress for 30 s",
        "task generator:1234 blocked for more than 30 seconds",
        "evidence was kept in raw/throughput-stall.txt",
        "the members did not come to rest"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}

TEST_CASE("show copes with a result that lacks nearly everything") {
  const auto document = parse_document(
      R"({"schema":"cowbench-result","schema_version":1,)"
      R"("job":{"stack":"s","outcome":"ok"},)"
      R"("members":[3],"phases":[{"accounting":{"members":[4]}}]})");
  REQUIRE(document);
  CHECK_THAT(show_text(*document, 40), Catch::StartsWith("s r1: ok\n"));
}
