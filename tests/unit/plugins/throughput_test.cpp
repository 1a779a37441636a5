// SPDX-License-Identifier: Apache-2.0
#include "throughput/throughput.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "fake_fio.hpp"
#include "throughput/requests.hpp"

using namespace cowbench;
using cowbench::testing::fake_fio;
using cowbench::testing::FakeHost;
using cowbench::testing::Scratch;

namespace {

// The sizes with which the stored outputs were made.
void prepare(FakeHost& fake, const Scratch& scratch) {
  fake.describe<throughput::Throughput>();
  fake.set("file_size", "64MiB");
  fake.set("random_size", "16MiB");
  fake.set("read_volume", "16MiB");
  fake.set("runtime", "2s");
  fake.directory = fake.artifact_directory = scratch.path();
  fake.on_run = fake_fio;
  fake.section_io = [](const std::string&) {
    cowbench_io io{};
    io.read_bytes = 64U << 20;
    return io;
  };
}

std::string option_of(const fio::Job& job, const std::string& key) {
  for (const std::string& option : job.options) {
    if (option.rfind(key + "=", 0) == 0) return option.substr(key.size() + 1);
  }
  return {};
}

}  // namespace

TEST_CASE("throughput emits every metric once") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  throughput::Throughput(fake.host()).run();
  CHECK(fake.breaches.empty());
  CHECK(fake.missing_metrics().empty());
  CHECK(fake.figure("seqwrite_mbps") > 0);
  CHECK(fake.figure("randread4_iops") > 0);
  CHECK(fake.figure("seqread_mbps") > 0);
  CHECK(fake.value("randwrite16_iops")->outcome ==
        COWBENCH_OUTCOME_NOT_REQUESTED);
  CHECK(fake.value("randwrite4_sharded_iops")->reason ==
        "throughput.sharded does not ask for it");
}

TEST_CASE("throughput rests before every section and is cold before reads") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  throughput::Throughput(fake.host()).run();
  CHECK(fake.sections == std::vector<std::string>{"seqwrite", "randwrite",
                                                  "randwrite4", "randread",
                                                  "randread4", "seqread"});
  CHECK(fake.quiesces == 6);
  CHECK(fake.colds == 3);
}

TEST_CASE("throughput lays files out in a run before the timed one") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  throughput::Throughput(fake.host()).run();
  const std::vector<std::string> lines = fake.command_lines();
  REQUIRE(lines.size() == 8);
  CHECK_THAT(lines[1], Catch::Contains("--create_only=1"));
  CHECK_THAT(lines[2], !Catch::Contains("--create_only=1"));
}

TEST_CASE("throughput withholds a read that the members did not see") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  fake.section_io = [](const std::string&) { return cowbench_io{}; };
  throughput::Throughput(fake.host()).run();
  const Value* value = fake.value("randread_iops");
  CHECK(value->outcome == COWBENCH_OUTCOME_WITHHELD);
  CHECK_THAT(value->reason, Catch::StartsWith("served from cache"));
  CHECK(value->value > 0);
}

TEST_CASE("throughput withholds percentiles of too few flushes") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  throughput::Throughput(fake.host()).run();
  const Value* p99 = fake.value("fsync_p99_ms");
  const Value* p999 = fake.value("fsync_p999_ms");
  CHECK(p99->observations == p999->observations);
  CHECK((p99->outcome == COWBENCH_OUTCOME_OK) == (p99->observations >= 100));
  CHECK((p999->outcome == COWBENCH_OUTCOME_OK) == (p999->observations >= 1000));
}

TEST_CASE("throughput refuses settings that contradict each other") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  throughput::Throughput phase(fake.host());
  fake.set("read_volume", "128MiB");
  CHECK_THROWS_WITH(phase.estimate(), Catch::Contains("read_volume"));
  fake.set("read_volume", "1MiB");
  fake.set("jobs_extra", std::vector<std::string>{"32"});
  CHECK_THROWS_WITH(phase.estimate(), Catch::Contains("32"));
}

TEST_CASE("throughput reads disjoint ranges with seeds of their own") {
  throughput::Settings settings;
  settings.file_bytes = 64U << 20;
  settings.read_bytes = 16U << 20;
  for (const throughput::Series& series : throughput::kSeries) {
    const fio::Request request =
        throughput::random_read(settings, series, "/d", 7);
    REQUIRE(request.jobs.size() == series.jobs);
    std::set<std::string> offsets, seeds;
    for (const fio::Job& job : request.jobs) {
      offsets.insert(option_of(job, "offset"));
      seeds.insert(option_of(job, "randseed"));
    }
    CHECK(offsets.size() == series.jobs);
    CHECK(seeds.size() == series.jobs);
    CHECK(offsets.count("0") == 1);
    CHECK(std::count(request.options.begin(), request.options.end(),
                     "size=" + std::to_string(settings.file_bytes /
                                              series.jobs)) == 1);
  }
}

TEST_CASE("throughput lets sharded processes make their own files") {
  throughput::Settings settings;
  settings.random_bytes = 16U << 20;
  const fio::Request request =
      throughput::random_write(settings, throughput::kSeries[1], true, "/d", 7);
  CHECK(request.name == "randwrite4_sharded");
  CHECK(std::count(request.options.begin(), request.options.end(),
                   "create_serialize=0") == 1);
  CHECK(throughput::files_of(request).size() == 4);
}
