// SPDX-License-Identifier: Apache-2.0
// What the fold makes of crashes, failures and logs of other versions.
#include <catch2/catch.hpp>

#include "fixture.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

ResultDocument with_metric(const std::string& fields) {
  return document_of(small_start() +
                     R"({"type":"metric","phase":"p","key":"m",)" + fields +
                     "}\n" + small_end());
}

}  // namespace

TEST_CASE("a log without job-end folds to an interrupted job") {
  const ResultDocument document = document_of(log_of("interrupted"));
  CHECK(document.job.outcome == Outcome::kInterrupted);
  CHECK_THAT(document.job.reason, Catch::Contains("no job-end"));
  CHECK(document.job.duration_ns == 4000 * kMs);

  SECTION("what was finished before stays") {
    CHECK(phase_of(document, "throughput").outcome == Outcome::kOk);
    CHECK(metric_of(document, "throughput", "seqwrite_mbps").value == 812.5);
  }
  SECTION("the phase that ran is interrupted and lasted to the last event") {
    const PhaseRecord& phase = phase_of(document, "sourcetree");
    CHECK(phase.outcome == Outcome::kInterrupted);
    CHECK(phase.reason == "the job was interrupted while this phase ran");
    CHECK(phase.duration_ns == 500 * kMs);
    CHECK(phase.quiesce_ns == 100 * kMs);
  }
  SECTION("its metrics are there whether they were emitted or not") {
    CHECK(metric_of(document, "sourcetree", "smalltree_create_ms").value ==
          150.0);
    const Metric& missing =
        metric_of(document, "sourcetree", "smalltree_cp_ms");
    CHECK(missing.outcome == Outcome::kInterrupted);
    CHECK_FALSE(missing.value);
    CHECK(missing.n == 0);
  }
}

TEST_CASE("a step that runs at the end of the log lasts to the last event") {
  const ResultDocument document = document_of(
      small_start() + R"({"type":"step-start","at_ns":100,"step":"prepare"})"
                      "\n"
                      R"({"type":"log","at_ns":400,"level":"info","text":"x"})"
                      "\n");
  CHECK(document.time.prepare_ns == 300);
  CHECK(document.time.other_ns == 100);
  CHECK(phase_of(document, "p").outcome == Outcome::kInterrupted);
  CHECK(phase_of(document, "p").reason ==
        "the job was interrupted before this phase");
}

TEST_CASE("every prefix of a log folds once the job has started") {
  const std::string log = log_of("ok");
  const std::size_t first = log.find('\n') + 1;
  CHECK_FALSE(fold_events(log.substr(0, first - 2)));
  for (std::size_t size = first; size < log.size() - 1; size += 7) {
    CAPTURE(size);
    const auto text = fold_events(log.substr(0, size));
    REQUIRE(text);
    const auto document = parse_document(*text);
    REQUIRE(document);
    CHECK(document->job.outcome == Outcome::kInterrupted);
    CHECK(document->log.empty());
  }
}

TEST_CASE("a torn last line is left out") {
  const ResultDocument document = document_of(log_of("torn"));
  CHECK(document.job.outcome == Outcome::kInterrupted);
  CHECK(document.log.empty());
  CHECK(metric_of(document, "sourcetree", "smalltree_create_ms").outcome ==
        Outcome::kInterrupted);
}

TEST_CASE("a broken line in the middle is left out and reported") {
  const ResultDocument document =
      document_of(small_start() + "{\"type\":\"pha\n[]\n\n" + small_end());
  CHECK(document.job.outcome == Outcome::kOk);
  REQUIRE(document.log.size() == 2);
  CHECK(document.log[0].text ==
        "line 2 of the event log is no event and was left out");
  CHECK(document.log[1].text ==
        "line 3 of the event log is no event and was left out");
}

TEST_CASE("unknown events and fields do no harm") {
  const ResultDocument document =
      document_of(small_start() + R"({"type":"hologram","depth":[1,{}]})" +
                  "\n{}\n{\"type\":7}\n" +
                  R"({"type":"metric","phase":"p","key":"m","outcome":"ok",)"
                  R"("value":2,"taste":"sour"})"
                  "\n" +
                  small_end());
  CHECK(document.job.outcome == Outcome::kOk);
  CHECK(document.log.empty());
  CHECK(metric_of(document, "p", "m").value == 2.0);
}

TEST_CASE("an outcome of a newer version is a failure that names it") {
  const ResultDocument document =
      with_metric(R"("outcome":"blessed","reason":"why","value":1)");
  CHECK(metric_of(document, "p", "m").outcome == Outcome::kFailed);
  CHECK(metric_of(document, "p", "m").reason ==
        "unknown outcome \"blessed\": why");
}

TEST_CASE("a log of a newer format is refused") {
  std::string log = small_start();
  const std::string version = R"("events_version":1)";
  log.replace(log.find(version), version.size(), R"("events_version":2)");
  const auto text = fold_events(log);
  REQUIRE_FALSE(text);
  CHECK_THAT(text.error().message(), Catch::Contains("event log version 2"));
}

TEST_CASE("a log without job-start is refused") {
  for (const std::string log : {"", "\n", "{\"type\":\"log\"}\n", "rubbish"}) {
    CAPTURE(log);
    const auto text = fold_events(log);
    REQUIRE_FALSE(text);
    CHECK_THAT(text.error().message(), Catch::Contains("no job-start"));
  }
}

TEST_CASE("an ok phase without a value fails its metric") {
  const ResultDocument document = document_of(small_start() + small_end());
  CHECK(phase_of(document, "p").outcome == Outcome::kOk);
  CHECK(metric_of(document, "p", "m").outcome == Outcome::kFailed);
  CHECK(metric_of(document, "p", "m").reason ==
        "the phase ended without a value");
}

TEST_CASE("metrics that a failed phase did not emit share its reason") {
  const ResultDocument document = document_of(log_of("failed-phase"));
  CHECK(document.job.outcome == Outcome::kFailed);
  CHECK(metric_of(document, "throughput", "seqwrite_mbps").reason ==
        "the generator ended with status 1: job 2 of 2: I/O error");
  const Metric& metric = metric_of(document, "throughput", "fsync_p99_ms");
  CHECK(metric.outcome == Outcome::kFailed);
  CHECK(metric.reason == "stalled: no progress for 30 s");
  CHECK(metric_of(document, "sourcetree", "smalltree_cp_ms").value == 420.0);
}

TEST_CASE("NaN has become null in the log and is a failure") {
  const ResultDocument document = with_metric(R"("outcome":"ok","value":null)");
  const Metric& metric = metric_of(document, "p", "m");
  CHECK(metric.outcome == Outcome::kFailed);
  CHECK(metric.reason == "not a number");
  CHECK_FALSE(metric.value);
}

TEST_CASE("a value condensed from something without a number is none") {
  const ResultDocument document =
      with_metric(R"("outcome":"ok","value":3,"samples":[2,null,4])");
  const Metric& metric = metric_of(document, "p", "m");
  CHECK(metric.outcome == Outcome::kFailed);
  CHECK(metric.reason == "not a number among the samples");
}

TEST_CASE("the value of a failed metric is not kept") {
  const ResultDocument document =
      with_metric(R"("outcome":"failed","reason":"r","value":3)");
  CHECK_FALSE(metric_of(document, "p", "m").value);
}

TEST_CASE("a phase that ran when its worker died says so") {
  const ResultDocument document = document_of(
      small_start() + R"({"type":"phase-start","at_ns":2,"phase":"p"})"
                      "\n"
                      R"({"type":"job-end","at_ns":9,"outcome":"failed",)"
                      R"("reason":"the worker was killed","duration_ns":9})"
                      "\n");
  CHECK(phase_of(document, "p").outcome == Outcome::kInterrupted);
  CHECK(phase_of(document, "p").reason ==
        "the job ended while this phase ran: the worker was killed");
  CHECK(phase_of(document, "p").duration_ns == 7);
}

TEST_CASE("a mark that ends the job explains the phases that did not run") {
  const ResultDocument document = document_of(
      small_start() +
      R"({"type":"mark","name":"weak host","reason":"slow","ends_job":true})"
      "\n"
      R"({"type":"job-end","outcome":"ok","duration_ns":5})"
      "\n");
  CHECK(phase_of(document, "p").outcome == Outcome::kNotAvailable);
  CHECK(metric_of(document, "p", "m").reason ==
        "not run, as the job ended early: weak host: slow");
}

TEST_CASE("phases after a failed set-up say so") {
  const ResultDocument document = document_of(
      small_start() +
      R"({"type":"job-end","outcome":"failed","reason":"no members",)"
      R"("duration_ns":5,"left_over":["/dev/loop9"]})"
      "\n");
  CHECK(phase_of(document, "p").outcome == Outcome::kFailed);
  CHECK(phase_of(document, "p").reason ==
        "not run, as the job failed: no members");
  CHECK(document.left_over == std::vector<std::string>{"/dev/loop9"});
}

TEST_CASE("a guest is told with the time of its boot, or that it had none") {
  const std::string guest =
      R"({"type":"guest","at_ns":1,"guest":{"name":"g","emulated":true}})"
      "\n";
  const ResultDocument never = document_of(small_start() + guest + small_end());
  CHECK(string_at(*never.guest, "name") == "g");
  REQUIRE(member_at(*never.guest, "boot_ns") != nullptr);
  CHECK(member_at(*never.guest, "boot_ns")->IsNull());

  const ResultDocument booted =
      document_of(small_start() + guest +
                  R"({"type":"guest-booted","at_ns":9,"boot_ns":8})"
                  "\n" +
                  small_end());
  CHECK(uint_at(*booted.guest, "boot_ns") == 8);

  CHECK(document_of(small_start() + small_end()).guest->IsNull());
}
