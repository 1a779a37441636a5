// SPDX-License-Identifier: Apache-2.0
#include "interactivity/interactivity.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cowbench/testing/fake_host.hpp>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "../workloads/scratch.hpp"
#include "interactivity/probe_report.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;

namespace {

workloads::ProbeResult result_of(std::vector<std::uint64_t> latencies_ms) {
  workloads::ProbeResult result;
  result.intended = latencies_ms.size();
  result.completed = latencies_ms.size();
  for (const auto ms : latencies_ms) result.latency_ns.push_back(ms * 1000000);
  return result;
}

std::vector<std::uint64_t> one_to(std::uint64_t last) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 1; i <= last; ++i) all.push_back(i);
  return all;
}

}  // namespace

TEST_CASE("median and percentile and maximum come from exact samples") {
  const auto values =
      interactivity::latency_values("x", result_of(one_to(200)), {});
  REQUIRE(values.size() == 3);
  CHECK(values[0].key == "x_p50_ms");
  CHECK(values[0].value == 100);
  CHECK(values[1].key == "x_p99_ms");
  CHECK(values[1].value == 198);
  CHECK(values[2].key == "x_max_ms");
  CHECK(values[2].value == 200);
  for (const auto& value : values) {
    CHECK(value.outcome == COWBENCH_OUTCOME_OK);
    CHECK(value.observations == 200);
    CHECK(value.samples.size() == 200);
  }
}

TEST_CASE("the 99th percentile is withheld below twenty writes") {
  const auto few =
      interactivity::latency_values("x", result_of(one_to(19)), {});
  CHECK(few[0].outcome == COWBENCH_OUTCOME_OK);
  CHECK(few[1].outcome == COWBENCH_OUTCOME_WITHHELD);
  CHECK_THAT(few[1].reason, Catch::Contains("only 19 writes"));
  CHECK(few[2].outcome == COWBENCH_OUTCOME_OK);
  const auto enough =
      interactivity::latency_values("x", result_of(one_to(20)), {});
  CHECK(enough[1].outcome == COWBENCH_OUTCOME_OK);
}

TEST_CASE("writes that never began count as a lower bound") {
  auto result = result_of({1, 1, 30000});
  result.intended = 7;
  result.missed = 4;
  result.missed_at_least_ns.assign(4, 5'000'000'000);
  const auto values = interactivity::latency_values("x", result, {});
  CHECK(values[0].value == 5000);
  CHECK(values[2].value == 30000);
  CHECK(values[0].observations == 3);
  REQUIRE(values[0].conditions.size() == 1);
  CHECK(values[0].conditions[0].first == "lower_bound");
  CHECK_THAT(values[0].conditions[0].second, Catch::Contains("4 of 7"));
}

TEST_CASE("starvation is the share that was not durable in time") {
  auto result = result_of(one_to(6));
  CHECK(interactivity::starvation_ratio(result) == 0);
  result.intended = 8;
  CHECK(interactivity::starvation_ratio(result) == 0.25);
  result.completed = 0;
  CHECK(interactivity::starvation_ratio(result) == 1);
  CHECK(interactivity::starvation_ratio({}) == 0);
}

TEST_CASE("an interactivity phase emits all of its metrics") {
  Scratch scratch;
  FakeHost fake;
  fake.describe<InteractivityPhase>();
  fake.directory = scratch.path("");
  fake.set("period", "5ms");
  fake.set("idle_time", "150ms");
  fake.set("load_time", "150ms");
  fake.set("flood_size", "4MiB");
  InteractivityPhase(fake.host()).run();
  CHECK(fake.missing_metrics().empty());
  CHECK(fake.breaches.empty());
  CHECK(fake.sections == std::vector<std::string>{"idle", "load"});
  CHECK(fake.quiesces == 2);
  CHECK(fake.figure("interactive_load_ops") <= 30);
  CHECK(fake.figure("interactive_idle_max_ms") > 0);
  const double ratio = fake.figure("interactive_starvation_ratio");
  CHECK(ratio == Approx(1 - fake.figure("interactive_load_ops") / 30));
}

TEST_CASE("a stop request ends an interactivity phase soon") {
  Scratch scratch;
  FakeHost fake;
  fake.describe<InteractivityPhase>();
  fake.directory = scratch.path("");
  fake.set("period", "5ms");
  fake.set("idle_time", "3600s");
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    fake.stop = true;
  });
  CHECK_THROWS_AS(InteractivityPhase(fake.host()).run(), Error);
  later.join();
  CHECK(fake.values.empty());
}
