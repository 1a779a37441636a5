// SPDX-License-Identifier: Apache-2.0
#include "workloads/latency_probe.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <system_error>

#include "scratch.hpp"
#include "workloads/clock.hpp"

using namespace cowbench::workloads;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

// A clock that only moves when an action takes time.
struct FakeTime {
  std::uint64_t now = 5000 * kMs;
  std::uint64_t writes = 0;
  // Duration of the flush of the given operation, counted from 0.
  std::function<std::uint64_t(std::uint64_t)> flush_ns = [](std::uint64_t) {
    return 9 * kMs;
  };
  std::function<bool()> should_stop = [] { return false; };

  ProbeActions actions() {
    ProbeActions all;
    all.now_ns = [this] { return now; };
    all.sleep_until_ns = [this](std::uint64_t until) {
      if (until > now) now = until;
    };
    all.write = [this] {
      ++writes;
      now += 1 * kMs;
    };
    all.flush = [this] { now += flush_ns(writes - 1); };
    all.should_stop = [this] { return should_stop(); };
    return all;
  }
};

ProbeSchedule ten_seconds(const FakeTime& time) {
  ProbeSchedule schedule;
  schedule.start_ns = time.now;
  schedule.window_ns = 10'000 * kMs;
  return schedule;
}

}  // namespace

TEST_CASE("an undisturbed probe runs one operation per period") {
  FakeTime time;
  const auto result = run_probe(ten_seconds(time), time.actions());
  CHECK(result.intended == 50);
  CHECK(result.completed == 50);
  CHECK(result.missed == 0);
  CHECK_FALSE(result.stopped);
  REQUIRE(result.latency_ns.size() == 50);
  for (const auto ns : result.latency_ns) CHECK(ns == 10 * kMs);
  for (const auto ns : result.write_ns) CHECK(ns == 1 * kMs);
}

TEST_CASE("a stall is counted by every operation that it held up") {
  FakeTime time;
  // The sixth operation, due at 1,000 ms, is durable at 4,001 ms.
  time.flush_ns = [](std::uint64_t index) {
    return index == 5 ? 3000 * kMs : 9 * kMs;
  };
  const auto result = run_probe(ten_seconds(time), time.actions());
  CHECK(result.intended == 50);
  CHECK(result.completed == 50);
  CHECK(result.missed == 0);
  REQUIRE(result.latency_ns.size() == 50);
  CHECK(result.latency_ns[4] == 10 * kMs);
  CHECK(result.latency_ns[5] == 3001 * kMs);
  // Due at 1,200 ms; begun at 4,001 ms; durable 10 ms later.
  CHECK(result.latency_ns[6] == 2811 * kMs);
  CHECK(result.latency_ns[7] == 2621 * kMs);
  // The backlog shrinks by 190 ms per operation: 3001 - 16 * 190 < 10.
  CHECK(result.latency_ns[20] == 151 * kMs);
  CHECK(result.latency_ns[21] == 10 * kMs);
  // A closed loop would show one slow operation; here a third are slow.
  int slow = 0;
  for (const auto ns : result.latency_ns) slow += ns > 100 * kMs;
  CHECK(slow == 16);
}

TEST_CASE("operations that a stall kept from beginning are missed") {
  FakeTime time;
  time.flush_ns = [](std::uint64_t index) {
    return index == 40 ? 3000 * kMs : 9 * kMs;
  };
  const auto result = run_probe(ten_seconds(time), time.actions());
  CHECK(result.intended == 50);
  // The one that stalls is durable 1,001 ms after the window.
  CHECK(result.completed == 40);
  CHECK(result.missed == 9);
  CHECK(result.latency_ns.back() == 3001 * kMs);
  REQUIRE(result.missed_at_least_ns.size() == 9);
  CHECK(result.missed_at_least_ns.front() == 2801 * kMs);
  CHECK(result.missed_at_least_ns.back() == 1201 * kMs);
}

TEST_CASE("an operation durable after the window has a sample only") {
  FakeTime time;
  time.flush_ns = [](std::uint64_t index) {
    return index == 49 ? 6000 * kMs : 9 * kMs;
  };
  const auto result = run_probe(ten_seconds(time), time.actions());
  CHECK(result.intended == 50);
  CHECK(result.completed == 49);
  CHECK(result.missed == 0);
  REQUIRE(result.latency_ns.size() == 50);
  CHECK(result.latency_ns.back() == 6001 * kMs);
}

TEST_CASE("a late start is part of the first latency") {
  FakeTime time;
  const auto schedule = ten_seconds(time);
  time.now += 70 * kMs;
  const auto result = run_probe(schedule, time.actions());
  CHECK(result.latency_ns.front() == 80 * kMs);
  CHECK(result.latency_ns[1] == 10 * kMs);
}

TEST_CASE("a probe asked to stop counts only what was due") {
  FakeTime time;
  time.should_stop = [&] { return time.writes == 12; };
  const auto result = run_probe(ten_seconds(time), time.actions());
  CHECK(result.stopped);
  CHECK(result.intended == 12);
  CHECK(result.completed == 12);
  CHECK(result.missed == 0);
}

TEST_CASE("the number of operations is that of due times in the window") {
  FakeTime time;
  ProbeSchedule schedule = ten_seconds(time);
  schedule.window_ns = 200 * kMs;
  CHECK(run_probe(schedule, time.actions()).intended == 1);
  schedule.start_ns = time.now;
  schedule.window_ns = 200 * kMs + 1;
  CHECK(run_probe(schedule, time.actions()).intended == 2);
  schedule.start_ns = time.now;
  schedule.window_ns = 0;
  const auto none = run_probe(schedule, time.actions());
  CHECK(none.intended == 0);
  CHECK(none.latency_ns.empty());
  schedule.period_ns = 0;
  CHECK_THROWS_AS(run_probe(schedule, time.actions()), std::invalid_argument);
}

TEST_CASE("an error of a write ends the probe") {
  FakeTime time;
  auto actions = time.actions();
  actions.write = [] { throw std::runtime_error("no space"); };
  CHECK_THROWS_WITH(run_probe(ten_seconds(time), actions), "no space");
}

TEST_CASE("the probe runs on a real file by the real clock") {
  Scratch scratch;
  ProbeFile file(scratch.path("probe"), 1);
  CHECK(std::filesystem::file_size(scratch.path("probe")) == 4096);
  ProbeSchedule schedule;
  schedule.period_ns = 5 * kMs;
  schedule.window_ns = 50 * kMs;
  schedule.start_ns = monotonic_ns() + 10 * kMs;
  const auto result = run_probe(schedule, file.actions([] { return false; }));
  CHECK(result.intended == 10);
  CHECK(result.latency_ns.size() + result.missed == 10);
  CHECK(monotonic_ns() >= schedule.start_ns + 45 * kMs);
  CHECK_THROWS_AS(ProbeFile(scratch.path("probe"), 1), std::system_error);
}
