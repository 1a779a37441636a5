// SPDX-License-Identifier: Apache-2.0
// What the fold makes of a log as it should be.
#include <catch2/catch.hpp>

#include "fixture.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

}  // namespace

TEST_CASE("the same log always folds to the same text") {
  for (const std::string& name : kLogs) {
    CHECK(*fold_events(log_of(name)) == *fold_events(log_of(name)));
  }
}

TEST_CASE("the keys of a result come in the order of the specification") {
  const auto text = fold_events(log_of("ok"));
  REQUIRE(text);
  const auto json = parse_json(*text);
  REQUIRE(json);
  std::vector<std::string> keys;
  for (const auto& member : json->GetObject()) {
    keys.emplace_back(member.name.GetString());
  }
  CHECK(keys == std::vector<std::string>{
                    "schema", "schema_version", "cowbench_version", "run",
                    "job", "time", "environment", "guest", "versions", "stack",
                    "profile", "members", "phases", "log", "left_over"});
}

TEST_CASE("run and job are taken from the job-start") {
  const ResultDocument document = document_of(log_of("ok"));
  CHECK(document.cowbench_version == "0.1.0");
  CHECK(document.run.id == "20261130-120000-7f3a");
  CHECK(document.run.label == "fixture");
  CHECK(document.run.seed == 18446744073709551557U);
  CHECK(document.job.id == "mirror-a-r1");
  CHECK(document.job.stack == "mirror-a");
  CHECK(document.job.family == "a");
  CHECK(document.job.stack_class == "mirror");
  CHECK(document.job.profile == "smoke");
  CHECK(string_at(*document.overrides, "throughput.runtime") == "5s");
  CHECK(document.job.outcome == Outcome::kOk);
  CHECK(document.job.started_at == "2026-11-30T12:00:00Z");
}

TEST_CASE("the parts of the time add up to the duration") {
  const ResultDocument document = document_of(log_of("ok"));
  const TimeSplit& time = document.time;
  CHECK(time.prepare_ns == 200 * kMs);
  CHECK(time.assemble_ns == 200 * kMs);
  CHECK(time.teardown_ns == 200 * kMs);
  CHECK(time.quiesce_ns == 450 * kMs);
  CHECK(time.phases_ns == 4050 * kMs);
  CHECK(time.other_ns == 200 * kMs);
  CHECK(document.job.duration_ns == time.prepare_ns + time.assemble_ns +
                                        time.teardown_ns + time.quiesce_ns +
                                        time.phases_ns + time.other_ns);
}

TEST_CASE("facts of the stack come from what was read back") {
  const ResultDocument document = document_of(log_of("ok"));
  REQUIRE(document.layers.size() == 1);
  CHECK(document.layers[0].plugin == "org.example.a");
  CHECK(string_at(*document.layers[0].options, "data") == "mirror");
  CHECK(string_at(*document.layers[0].effective, "data_profile") == "mirror");
  CHECK(string_at(*document.mount, "options") == "rw,noatime");
  CHECK(string_at(*document.versions, "generator") == "3.33");
  CHECK(string_at(*document.environment, "kernel") == "6.1.0-27-amd64");
  REQUIRE(document.members->IsArray());
  CHECK(document.members->Size() == 2);
}

TEST_CASE("a metric keeps samples and says how they spread") {
  const ResultDocument document = document_of(log_of("ok"));
  const Metric& metric = metric_of(document, "throughput", "seqwrite_mbps");
  CHECK(metric.outcome == Outcome::kOk);
  CHECK(metric.value == 812.5);
  CHECK(metric.n == 3);
  CHECK(metric.observations == 3);
  CHECK(metric.method == 2);
  REQUIRE(metric.spread);
  CHECK(metric.spread->minimum == 800.0);
  CHECK(metric.spread->maximum == 830.0);
  CHECK(metric.spread->mad == 12.5);
  CHECK(metric.samples == std::vector<double>{800.0, 812.5, 830.0});
}

TEST_CASE("a metric without samples counts once and has no spread") {
  const ResultDocument document = document_of(log_of("ok"));
  const Metric& metric = metric_of(document, "throughput", "fsync_p99_ms");
  CHECK(metric.value == 4.25);
  CHECK(metric.n == 1);
  CHECK(metric.observations == 1200);
  CHECK_FALSE(metric.spread);
}

TEST_CASE("write amplification is member bytes by what the workload wrote") {
  const ResultDocument document = document_of(log_of("ok"));
  CHECK(phase_of(document, "throughput").write_amplification == 3.0);
}

TEST_CASE("write amplification sums over the sections that state their bytes") {
  const auto metric = [](const std::string& key, const std::string& bytes) {
    return R"({"type":"metric","phase":"p","outcome":"ok","value":1,"key":")" +
           key + R"(","conditions":{)" + bytes + "}}\n";
  };
  const ResultDocument document = document_of(
      small_start() +
      metric("a", R"("written_bytes":"100","member_write_bytes":"250")") +
      metric("b", R"("written_bytes":300,"member_write_bytes":350)") +
      metric("c", R"("written_bytes":"7")") +
      metric("d", R"("written_bytes":"7","member_write_bytes":"-1")") +
      small_end());
  CHECK(phase_of(document, "p").write_amplification == 1.5);
}

TEST_CASE("without stated bytes there is no write amplification") {
  const ResultDocument document = document_of(log_of("ok"));
  CHECK_FALSE(phase_of(document, "sourcetree").write_amplification);
  CHECK_FALSE(
      written_bytes(metric_of(document, "sourcetree", "smalltree_create_ms")));
  Metric nothing_written;
  nothing_written.conditions = {{"written_bytes", "0"},
                                {"member_write_bytes", "4096"}};
  CHECK_FALSE(written_bytes(nothing_written));
}

TEST_CASE("usage and accounting stand with their phase") {
  const ResultDocument document = document_of(log_of("ok"));
  const PhaseRecord& phase = phase_of(document, "throughput");
  CHECK(uint_at(*phase.usage, "used_bytes") == 67108864);
  CHECK(string_at(*phase.usage, "source") == "statvfs");
  const JsonValue* members = member_at(*phase.accounting, "members");
  REQUIRE(members != nullptr);
  CHECK(uint_at((*members)[0], "write_bytes") == 100663296);
}

TEST_CASE("a phase that was left out is not requested in all its metrics") {
  const ResultDocument document = document_of(log_of("ok"));
  CHECK(phase_of(document, "largedir").outcome == Outcome::kNotRequested);
  const Metric& metric = metric_of(document, "largedir", "largedir_create_ms");
  CHECK(metric.outcome == Outcome::kNotRequested);
  CHECK(metric.reason == "left out of this run");
  CHECK(metric.label == "Create large directory");
  CHECK_FALSE(metric.value);
}

TEST_CASE("only warnings and errors are kept of the log") {
  CHECK(document_of(log_of("ok")).log.empty());
  const auto log = document_of(log_of("failed-phase")).log;
  REQUIRE(log.size() == 3);
  CHECK(log[0].level == "warning");
  CHECK(log[0].text ==
        "the members did not come to rest before a timed section (waited "
        "450 ms)");
  CHECK(log[1].where == "throughput");
  CHECK(log[2].text == "evidence was kept in raw/throughput-stall.txt");
}

TEST_CASE("a withheld metric keeps its value and says why it is withheld") {
  const ResultDocument document = document_of(log_of("withheld"));
  const Metric& metric = metric_of(document, "sourcetree", "smalltree_cp_ms");
  CHECK(metric.outcome == Outcome::kWithheld);
  CHECK(metric.value == 12.0);
  CHECK(metric.reason ==
        "served from cache: the members read 1 MiB of at least 8.6 MiB");
  REQUIRE(document.job.marks.size() == 1);
  CHECK(document.job.marks[0].name == "weak host");
  REQUIRE(document.log.size() == 1);
  CHECK(document.log[0].text ==
        "the cache below the members could not be dropped: not permitted");
}

TEST_CASE("a metric declared at run time stands beside the planned ones") {
  const ResultDocument document = document_of(
      small_start() +
      R"({"type":"metric-declared","phase":"p","metric":{"key":"x",)"
      R"("unit":"B","better":"neither","label":"X","method":4}})"
      "\n"
      R"({"type":"metric","phase":"p","key":"x","outcome":"ok","value":5})"
      "\n" +
      small_end());
  const Metric& metric = metric_of(document, "p", "x");
  CHECK(metric.value == 5.0);
  CHECK(metric.method == 4);
  CHECK(metric.unit == "B");
}
