// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "page_sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

// Runs first to last of one stack, each with the same results.
PublishedHistory runs(int first, int last, const std::string& fs,
                      const std::string& layout, const std::string& results) {
  PublishedHistory history;
  for (int number = first; number <= last; ++number) {
    history.runs.push_back(run_of(number, fs, layout, results));
  }
  return history;
}

}  // namespace

TEST_CASE("the shipped metrics have labels, groups and a direction each") {
  std::set<std::string> keys;
  for (const PublishedMetric& metric : shipped_metrics().metrics) {
    CAPTURE(metric.key);
    CHECK(keys.insert(metric.key).second);
    CHECK(!metric.label.empty());
    CHECK(!metric.group.empty());
    CHECK(!metric.definition.empty());
    CHECK((metric.better == "higher" || metric.better == "lower" ||
           metric.better == "neither"));
    const auto known = shipped_metrics().abilities;
    CHECK((metric.needs.empty() || known.contains(metric.needs)));
  }
}

TEST_CASE("the score counts only metrics that the page knows") {
  std::set<std::string> keys;
  for (const PublishedMetric& metric : shipped_metrics().metrics) {
    keys.insert(metric.key);
  }
  for (const ScoreGroup& group : shipped_score().groups) {
    for (const auto& subgroup : group.subgroups) {
      for (const std::string& metric : subgroup) {
        CAPTURE(metric);
        CHECK(keys.contains(metric));
      }
    }
  }
}

TEST_CASE("a file of metrics without any is refused") {
  CHECK(!parse_published_metrics("{}"));
  CHECK(!parse_published_metrics("nonsense"));
}

TEST_CASE("a current figure is the median of the newest runs with its n") {
  PublishedHistory history;
  for (int number = 200; number < 230; ++number) {
    history.runs.push_back(
        run_of(number, "btrfs", "raid1",
               "\"seqwrite_mbps\":" + std::to_string(number)));
  }
  const Page page = page_of(history);
  const PageCell& cell = cell_of(page, "seqwrite_mbps");
  REQUIRE(cell.statistics);
  CHECK(cell.statistics->n == 20);
  CHECK(cell.statistics->median == 219.5);
  CHECK(cell.statistics->interval);
  CHECK(cell.outcome == "ok");
  CHECK(page.series[index_of(page, "seqwrite_mbps")][0].size() == 30);
}

TEST_CASE("a zero that means a failed probe is an outcome with its reason") {
  const Page page =
      page_of(runs(200, 202, "btrfs", "raid1", "\"nearfull95_write_mbps\":0"));
  const PageCell& cell = cell_of(page, "nearfull95_write_mbps");
  CHECK(!cell.statistics);
  CHECK(cell.outcome == "failed");
  CHECK(cell.reason.find("3 of 3 runs: ") == 0);
}

TEST_CASE("a zero that is a count stays a figure") {
  const Page page =
      page_of(runs(200, 202, "btrfs", "raid1", "\"lat_load_ops\":0"));
  REQUIRE(cell_of(page, "lat_load_ops").statistics);
  CHECK(cell_of(page, "lat_load_ops").statistics->median == 0.0);
}

TEST_CASE("what is absent says why") {
  PublishedHistory history;
  history.runs.push_back(run_of(200, "xfs", "single",
                                "\"lat_load_p99_ms\":null,"
                                "\"snapshot_create_ms\":null"));
  history.runs[0].documents.push_back(published(
      "zfs", "mirror", "\"lat_load_p99_ms\":5,\"snapshot_create_ms\":5",
      history.runs[0].date));
  const Page page = page_of(history);
  const PageCell& withheld = cell_of(page, "lat_load_p99_ms");
  CHECK(withheld.outcome == "withheld");
  CHECK(withheld.reason.find("fewer than 20") == 0);
  const PageCell& lacking = cell_of(page, "snapshot_create_ms");
  CHECK(lacking.outcome == "not-applicable");
  CHECK(lacking.reason == "this stack lacks snapshots");
}

TEST_CASE("a figure that some runs lack says how many") {
  PublishedHistory history =
      runs(200, 202, "xfs", "single", "\"lat_load_p99_ms\":5");
  history.runs.push_back(
      run_of(203, "xfs", "single", "\"lat_load_p99_ms\":null"));
  const Page page = page_of(history);
  CHECK(cell_of(page, "lat_load_p99_ms").statistics->n == 3);
  CHECK(cell_of(page, "lat_load_p99_ms").reason.find("1 of 4 runs: withheld") ==
        0);
}

TEST_CASE("a change of method breaks the trend and the current figure") {
  PublishedHistory history =
      runs(60, 63, "xfs", "single", "\"seqread_mbps\":2000");
  for (const auto& run :
       runs(64, 66, "xfs", "single", "\"seqread_mbps\":400").runs) {
    history.runs.push_back(run);
  }
  const Page page = page_of(history);
  REQUIRE(page.sources[0].breaks.size() == 1);
  CHECK(page.sources[0].breaks[0].point == 4);
  const PageCell& cell = cell_of(page, "seqread_mbps");
  CHECK(cell.statistics->n == 3);
  CHECK(cell.statistics->maximum == 400.0);
}

TEST_CASE("a change of method among thinned runs falls on its day") {
  // Runs 40 to 199: the newest 100 stay, 60 become days of 24 runs.
  const Page page =
      page_of(runs(40, 199, "xfs", "single", "\"seqread_mbps\":400"));
  const auto& points = page.sources[0].points;
  REQUIRE(page.sources[0].breaks.size() == 1);
  const PagePoint& marked = points[page.sources[0].breaks[0].point];
  CHECK(marked.is_day);
  CHECK(marked.name == "day-2026-07-03");  // run 64 is on the third
  CHECK(points.size() == 100 + 4);
}

TEST_CASE("runs on real devices have numbers of their own") {
  PublishedHistory history =
      runs(60, 66, "xfs", "single", "\"seqread_mbps\":400");
  for (PublishedRun& run : history.runs) {
    run.documents[0].devices = "/dev/nvme0n1p1 /dev/nvme1n1p1";
  }
  const Page page = page_of(history);
  CHECK(page.sources[0].breaks.empty());
  CHECK(page.sources[0].facts[1].value.find("NVMe SSD") == 0);
}

TEST_CASE("a run without the stack is a gap in its series") {
  PublishedHistory history =
      runs(200, 201, "xfs", "single", "\"seqwrite_mbps\":1");
  history.runs.push_back(run_of(202, "ext4", "single", "\"seqwrite_mbps\":1"));
  const Page page = page_of(history);
  const auto& series = page.series[index_of(page, "seqwrite_mbps")];
  CHECK(std::isnan(series[0][0]));  // ext4/single
  CHECK(series[1][1] == 1.0);
  CHECK(std::isnan(series[1][2]));
}

TEST_CASE("verdicts come from all runs, and from who checks data") {
  PublishedHistory history =
      runs(200, 203, "ext4", "md-raid10", "\"data_intact\":true");
  history.runs[1].documents[0] = published(
      "ext4", "md-raid10", "\"data_intact\":false", history.runs[1].date);
  for (PublishedRun& run : history.runs) {
    run.documents.push_back(
        published("xfs", "md-raid10", "\"data_intact\":true", run.date));
    run.documents.push_back(
        published("xfs", "single", "\"data_intact\":null", run.date));
    run.documents.push_back(
        published("zfs", "mirror", "\"data_intact\":true", run.date));
  }
  const Page page = page_of(history);
  REQUIRE(page.verdicts.size() == 4);
  CHECK(page.verdicts[0].fate == Fate::kSometimes);
  CHECK(page.verdicts[0].intact == 3);
  CHECK(page.verdicts[0].runs == 4);
  CHECK(page.verdicts[1].fate == Fate::kUnproven);
  CHECK(page.verdicts[2].fate == Fate::kUntested);
  CHECK(page.verdicts[3].fate == Fate::kSurvived);
}

TEST_CASE("a curve keeps its newest run and the medians of the newest") {
  PublishedHistory history;
  history.runs.push_back(
      run_of(200, "zfs", "mirror", "\"aging_mbps\":[10,20,30]"));
  history.runs.push_back(
      run_of(201, "zfs", "mirror", "\"aging_mbps\":[30,40]"));
  const Page page = page_of(history);
  REQUIRE(page.curves.size() == 1);
  CHECK(page.curves[0].latest == std::vector<float>{30, 40});
  CHECK(page.curves[0].middle == std::vector<float>{20, 30});
  CHECK(page.curves[0].runs == 2);
}

TEST_CASE("a key that nobody described is shown by its name") {
  const Page page =
      page_of(runs(200, 201, "zfs", "mirror", "\"brand_new_ms\":4"));
  CHECK(page.metrics[index_of(page, "brand_new_ms")].label == "brand_new_ms");
}

TEST_CASE("files that cannot be read are warnings of the page") {
  PublishedHistory history =
      runs(200, 200, "zfs", "mirror", "\"seqwrite_mbps\":1");
  history.unreadable.push_back({"a.json", "not JSON"});
  CHECK(page_of(history).warnings ==
        std::vector<std::string>{"a.json: not JSON"});
}

TEST_CASE("a history without runs adds nothing") {
  CHECK(page_of({}).entries.empty());
}
