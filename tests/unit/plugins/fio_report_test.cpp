// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cowbench/error.hpp>

#include "fio/report.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::fixture;
using fio::JobReport;
using fio::parse_report;
using fio::Report;

TEST_CASE("fio's report of one write") {
  const Report report = parse_report(fixture("fio-3.33/seqwrite.json"));
  CHECK(report.version == "fio-3.33");
  CHECK(report.diagnostics.empty());
  REQUIRE(report.jobs.size() == 1);
  CHECK(report.jobs[0].name == "seqwrite");
  CHECK(report.jobs[0].error == 0);
  CHECK(report.jobs[0].write.bytes == 64U << 20);
  CHECK(report.jobs[0].write.operations == 64);
  CHECK(report.jobs[0].read.bytes == 0);
}

TEST_CASE("fio's flush times come out in milliseconds with their count") {
  const Report report = parse_report(fixture("fio-3.33/randwrite.json"));
  const fio::Flushes& flushes = report.jobs.at(0).flushes;
  // One for every 16 writes, although "total_ios" of the flushes says 0.
  CHECK(flushes.count == report.jobs[0].write.operations / 16);
  REQUIRE(flushes.percentiles_ms.count(99.9) == 1);
  CHECK(flushes.percentiles_ms.at(99) <= flushes.percentiles_ms.at(99.9));
  CHECK(flushes.percentiles_ms.at(50) > 0.001);
  CHECK(flushes.percentiles_ms.at(99.9) < 10'000);
}

TEST_CASE("fio's jobs are summed over the longest of them") {
  const Report report = parse_report(fixture("fio-3.33/randwrite4.json"));
  REQUIRE(report.jobs.size() == 4);
  const fio::Total total = fio::total(report, &JobReport::write);
  CHECK(total.bytes == total.operations * 4096);
  CHECK(total.runtime_s >= 1.0);
  CHECK(total.runtime_s < 1.5);
  CHECK(total.iops() ==
        Approx(static_cast<double>(total.operations) / total.runtime_s));
}

TEST_CASE("fio's random reads read what they were asked to") {
  const Report report = parse_report(fixture("fio-3.33/randread4.json"));
  CHECK(fio::total(report, &JobReport::read).bytes == 16U << 20);
}

TEST_CASE("fio's report is found with text before and after it") {
  const Report report = parse_report(fixture("fio-3.33/text-around.txt"));
  CHECK(report.jobs.at(0).name == "seqread");
  CHECK_THAT(report.diagnostics, Catch::StartsWith("seqread: (g=0)"));
  CHECK_THAT(report.diagnostics, Catch::Contains("Disk stats"));
}

TEST_CASE("fio's error lines before the report are kept") {
  const Report report =
      parse_report(fixture("fio-3.33/one-job-of-two-enospc-merged.txt"));
  CHECK_THAT(report.diagnostics, Catch::StartsWith("fio: io_u error"));
  CHECK_THAT(report.diagnostics, Catch::Contains("err=28"));
  REQUIRE(report.jobs.size() == 2);
  CHECK(report.jobs[0].error == 0);
  CHECK(report.jobs[1].error == 28);
}

TEST_CASE("fio's text around the report may hold braces") {
  const std::string document = fixture("fio-3.33/seqwrite.json");
  const Report report =
      parse_report("{ not json\n{\"note\": 1}\n{}\n" + document + "}\n");
  CHECK(report.jobs.at(0).write.operations == 64);
}

TEST_CASE("fio's absent report is told from an unreadable one") {
  CHECK_THROWS_WITH(parse_report(" \n"), "fio wrote no output");
  CHECK_THROWS_WITH(parse_report(fixture("fio-3.33/text-only.txt")),
                    Catch::Contains("no JSON document") &&
                        Catch::Contains("It begins: seqread: (g=0)"));
  const std::string document = fixture("fio-3.33/seqwrite.json");
  CHECK_THROWS_WITH(parse_report(document.substr(0, 1000)),
                    Catch::Contains("breaks off at byte"));
}

TEST_CASE("fio's unknown shapes are refused by place") {
  CHECK_THROWS_WITH(parse_report("{\"fio version\": \"fio-9\", \"jobs\": {}}"),
                    Catch::Contains("/jobs is not an array"));
  CHECK_THROWS_WITH(
      parse_report("{\"fio version\": \"fio-9\", \"jobs\": [{\"jobname\":"
                   "\"a\", \"error\": 0, \"read\": {\"octets\": 1}}]}"),
      Catch::Contains("no \"io_bytes\" in /jobs/0/read"));
}

// Not a stored output: fio 2 can't be built here. Its io_bytes are KiB and its
// latencies microseconds.
TEST_CASE("fio's older units are converted by the keys found") {
  const std::string direction =
      "{\"io_bytes\": 2048, \"total_ios\": 2, \"runtime\": 500}";
  const Report report = parse_report(
      "{\"fio version\": \"fio-2.16\", \"jobs\": [{\"jobname\": \"a\","
      "\"error\": 0, \"read\": " +
      direction + ", \"write\": " + direction +
      ", \"sync\": {\"lat\": {\"N\": 3, \"percentile\": {\"99.000000\":"
      " 1500}}}}]}");
  CHECK(report.jobs.at(0).read.bytes == 2U << 20);
  CHECK(fio::total(report, &JobReport::read).mib_per_s() == Approx(4));
  CHECK(report.jobs[0].flushes.percentiles_ms.at(99) == Approx(1.5));
}
