// SPDX-License-Identifier: Apache-2.0
// What may be concluded from two sets of results, and what may not.
#include "report/compare.hpp"

#include <catch2/catch.hpp>

#include "sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

using Documents = std::vector<ResultDocument>;

// Jobs of one run with these stream write bandwidths.
Documents jobs(const std::string& run, const std::vector<std::string>& values,
               const Changes& changes = {}) {
  Documents documents;
  int number = 0;
  for (const std::string& value : values) {
    ResultDocument one = repetition(++number, value, changes);
    one.job.id = run + "-" + std::to_string(number);
    documents.push_back(std::move(one));
  }
  return documents;
}

Comparison held(const Documents& a, const Documents& b,
                const CompareOptions& options = {}) {
  return compare(a, b, "left", "right", options);
}

const ComparedMetric& metric_of(const Comparison& comparison,
                                const std::string& key) {
  for (const ComparedPair& pair : comparison.pairs) {
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.key == key) return metric;
    }
  }
  throw std::runtime_error("no metric " + key);
}

const ComparedMetric& bandwidth(const Comparison& comparison) {
  return metric_of(comparison, "seqwrite_mbps");
}

const std::vector<std::string> kFast = {"800", "805", "810", "815",
                                        "820", "825", "830", "835"};
const std::vector<std::string> kSlow = {"720", "724", "729", "733",
                                        "738", "742", "747", "751"};

}  // namespace

TEST_CASE("a proven slow-down has a ratio, an interval and a name") {
  const Comparison comparison = held(jobs("a", kFast), jobs("b", kSlow));
  const ComparedMetric& found = bandwidth(comparison);
  CHECK(found.finding == Finding::kWorse);
  CHECK(found.verdict == "1.11x slower");
  REQUIRE(found.ratio);
  CHECK(found.ratio->ratio == Approx(735.5 / 817.5));
  REQUIRE(found.ratio->low);
  CHECK(*found.ratio->low < found.ratio->ratio);
  CHECK(*found.ratio->high < 1.0);
  CHECK(found.p_value == Approx(2.0 / 12870.0));  // 16 over 8
  CHECK(*found.p_corrected >= *found.p_value);
  CHECK(*found.worse_by == Approx(1.0 - 735.5 / 817.5));
}

TEST_CASE("the other way round it is faster") {
  const Comparison comparison = held(jobs("a", kSlow), jobs("b", kFast));
  CHECK(bandwidth(comparison).finding == Finding::kBetter);
  CHECK(bandwidth(comparison).verdict == "1.11x faster");
  CHECK(regressions(comparison, 0.0).empty());
}

TEST_CASE("only regressions of the size asked for count") {
  const Comparison comparison = held(jobs("a", kFast), jobs("b", kSlow));
  CHECK(regressions(comparison, 0.0).size() == 1);
  CHECK(regressions(comparison, 0.05).size() == 1);
  CHECK(regressions(comparison, 0.2).empty());
}

TEST_CASE("results held against themselves show no difference, and say so") {
  const Documents same = jobs("a", kFast);
  const Comparison comparison = held(same, same);
  CHECK(bandwidth(comparison).finding == Finding::kNone);
  CHECK(bandwidth(comparison)
            .verdict.rfind("no difference detectable: could see >= ", 0) == 0);
  REQUIRE(comparison.warnings.size() == 1);
  CHECK(comparison.warnings[0] ==
        "8 of 8 jobs of b are also in a; they say nothing about a difference");
  CHECK(regressions(comparison, 0.0).empty());
}

TEST_CASE("a difference within the noise is none") {
  const Comparison comparison =
      held(jobs("a", {"800", "820", "840", "860", "880", "900"}),
           jobs("b", {"790", "815", "835", "855", "875", "895"}));
  CHECK(bandwidth(comparison).finding == Finding::kNone);
}

TEST_CASE("few jobs prove nothing, however far they are apart") {
  const Comparison comparison =
      held(jobs("a", {"800", "801", "802"}), jobs("b", {"1", "2", "3"}));
  CHECK(bandwidth(comparison).finding == Finding::kTooFew);
  CHECK(bandwidth(comparison).verdict ==
        "too few jobs to prove anything: 3 and 3");
  CHECK_FALSE(bandwidth(comparison).p_corrected);
}

TEST_CASE("another unit, method, setting or kind of machine is no comparison") {
  const std::vector<std::pair<Changes, std::string>> cases = {
      {{{"\"unit\":\"MiB/s\"", "\"unit\":\"MB/s\""}},
       "cannot compare: unit differs (MiB/s | MB/s)"},
      {{{"\"method\":2", "\"method\":3"}},
       "cannot compare: method differs (2 | 3)"},
      {{{"\"file_size\":67108864", "\"file_size\":7"}},
       "cannot compare: setting differs: throughput.file_size (67108864 | 7)"},
      {{{"\"architecture\":\"x86_64\"", "\"architecture\":\"aarch64\""}},
       "cannot compare: kind of machine differs: architecture (x86_64 | "
       "aarch64)"}};
  for (const auto& [changes, verdict] : cases) {
    const Comparison comparison =
        held(jobs("a", kFast), jobs("b", kSlow, changes));
    CHECK(bandwidth(comparison).finding == Finding::kNotComparable);
    CHECK(bandwidth(comparison).verdict == verdict);
    CHECK(regressions(comparison, 0.0).empty());
  }
}

TEST_CASE("two kernels are compared, and named") {
  const Comparison comparison =
      held(jobs("a", kFast), jobs("b", kSlow, {{"6.1.0-27-amd64", "6.12.1"}}));
  CHECK(bandwidth(comparison).finding == Finding::kWorse);
  CHECK(comparison.differences ==
        std::vector<std::string>{"kernel: 6.1.0-27-amd64 | 6.12.1"});
}

TEST_CASE("a value that is missing says why") {
  const Comparison comparison =
      held(jobs("a", kFast), {sample("failed-phase")});
  const ComparedMetric& found = bandwidth(comparison);
  CHECK(found.finding == Finding::kNoValue);
  CHECK(found.verdict.rfind("b: ", 0) == 0);
}

TEST_CASE("stacks of one name are paired, others are listed") {
  const Changes b = {{"mirror-a", "mirror-b"}};
  const Changes c = {{"mirror-a", "mirror-c"}};
  Documents left = jobs("a", kFast);
  for (ResultDocument& one : jobs("l", {"1"}, b)) left.push_back(one);
  Documents right = jobs("b", kFast);
  for (ResultDocument& one : jobs("r", {"1"}, c)) right.push_back(one);
  const Comparison comparison = held(left, right);
  REQUIRE(comparison.pairs.size() == 1);
  CHECK(comparison.pairs[0].stack_a == "mirror-a");
  CHECK(comparison.alone ==
        std::vector<std::string>{"mirror-b (only a)", "mirror-c (only b)"});
  // Two stacks only where there is no doubt which.
  const Comparison two = held(jobs("a", kFast), jobs("b", kSlow, b));
  REQUIRE(two.pairs.size() == 1);
  CHECK(two.pairs[0].stack_b == "mirror-b");
  CHECK(bandwidth(two).finding == Finding::kWorse);
}

TEST_CASE("a comparison comes as text, Markdown, CSV and JSON") {
  const Comparison comparison = held(jobs("a", kFast), jobs("b", kSlow));
  const std::string text = comparison_text(comparison, 0);
  CHECK(text.find("818 (n=8)") != std::string::npos);
  CHECK(text.find("1.11x slower") != std::string::npos);
  CHECK(comparison_markdown(comparison).find("| 1.11x slower |") !=
        std::string::npos);
  const std::string csv = comparison_csv(comparison);
  CHECK(csv.find(",worse,1.11x slower\r\n") != std::string::npos);
  const auto json = parse_json(comparison_json(comparison));
  REQUIRE(json);
  CHECK(string_at(*json, "schema") == "cowbench-comparison");
}

TEST_CASE("names with markup and control characters do no harm") {
  Comparison comparison;
  comparison.name_a = "<img onerror=x>\x1b[2J";
  comparison.alone = {"a|b"};
  CHECK(comparison_text(comparison, 0).find('\x1b') == std::string::npos);
  const std::string markdown = comparison_markdown(comparison);
  CHECK(markdown.find("\\<img") != std::string::npos);
  CHECK(markdown.find("a\\|b") != std::string::npos);
}
