// SPDX-License-Identifier: Apache-2.0
#include "report/overhead.hpp"

#include <catch2/catch.hpp>

#include "base/json.hpp"
#include "sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

TEST_CASE("overhead is the time outside phases with quiescing apart") {
  const Overhead overhead = measure_overhead({sample("ok")});
  REQUIRE(overhead.rows.size() == 1);
  // 3 x 200 ms of steps and 200 ms of the rest, in 5300 ms less 450.
  REQUIRE(overhead.rows[0].share);
  CHECK(*overhead.rows[0].share == Approx(800.0 / 4850.0));
}

TEST_CASE("the share of all jobs is that of the sums") {
  const Overhead overhead =
      measure_overhead({sample("ok"), sample("interrupted")});
  REQUIRE(overhead.rows.size() == 2);
  // The interrupted job: 400 ms of steps, 100 ms before, in 4000 less 450.
  CHECK(*overhead.rows[1].share == Approx(500.0 / 3550.0));
  CHECK(*overhead.total.share == Approx(1300.0 / 8400.0));
}

TEST_CASE("a job without time has no share") {
  const Overhead overhead = measure_overhead(
      {sample("ok", {{"\"duration_ns\":5300000000", "\"duration_ns\":0"}})});
  CHECK_FALSE(overhead.rows[0].share);
  CHECK_THAT(overhead_text(overhead, 0), Catch::Contains("  -\n"));
  CHECK_THAT(overhead_json(overhead), Catch::Contains("\"overhead\":null"));
}

TEST_CASE("the text shows each job and all of them") {
  CHECK(overhead_text(measure_overhead({sample("ok"), sample("interrupted")}),
                      0) == expected("overhead.txt"));
}

TEST_CASE("CSV and JSON carry the times in ns") {
  const Overhead overhead = measure_overhead({sample("ok")});
  CHECK(overhead_csv(overhead) ==
        "job,run_id,outcome,wall_ns,phases_ns,quiesce_ns,prepare_ns,"
        "assemble_ns,teardown_ns,other_ns,overhead\r\n"
        "mirror-a r1,20261130-120000-7f3a,ok,5300000000,4050000000,450000000,"
        "200000000,200000000,200000000,200000000,0.16494845360824742\r\n");
  const auto json = parse_json(overhead_json(overhead));
  REQUIRE(json);
  CHECK(uint_at((*json)["jobs"][0], "wall_ns") == 5300000000);
  CHECK(string_at((*json)["total"], "job") == "all");
}
