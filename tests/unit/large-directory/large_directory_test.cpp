// SPDX-License-Identifier: Apache-2.0
#include "large-directory/large_directory.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "../workloads/scratch.hpp"

using cowbench::LargeDirectoryPhase;
using cowbench::testing::FakeHost;
namespace fs = std::filesystem;

namespace {

void make_small(FakeHost& fake, const Scratch& scratch) {
  fake.describe<LargeDirectoryPhase>();
  fake.directory = scratch.path("");
  fake.set("files", "500");
  fake.cold_floor_bytes = 8192;
  fake.section_io = [](const std::string& section) {
    cowbench_io io{};
    if (section.find("cold") != std::string::npos) io.read_bytes = 8192;
    return io;
  };
}

}  // namespace

TEST_CASE("a large directory phase emits all of its metrics") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  LargeDirectoryPhase(fake.host()).run();
  CHECK(fake.missing_metrics().empty());
  CHECK(fake.breaches.empty());
  for (const auto& key : fake.metrics) CHECK(fake.figure(key) > 0);
  CHECK(fake.sections == std::vector<std::string>{
                             "create", "list_cold", "stat_cold", "stat_warm",
                             "stat_warm", "stat_warm", "delete"});
  CHECK(fake.colds == 2);
  CHECK(fake.quiesces == 7);
  CHECK_FALSE(fs::exists(scratch.path("large")));
}

TEST_CASE("the warm pass is the median of three") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  LargeDirectoryPhase(fake.host()).run();
  auto samples = fake.value("largedir_stat_warm_ms")->samples;
  REQUIRE(samples.size() == 3);
  std::sort(samples.begin(), samples.end());
  CHECK(fake.figure("largedir_stat_warm_ms") == samples[1]);
}

TEST_CASE("a pass that read less than the backend declares is withheld") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  fake.cold_floor_bytes = 8193;
  LargeDirectoryPhase(fake.host()).run();
  for (const char* key : {"largedir_readdir_cold_ms", "largedir_stat_cold_ms"})
    CHECK(fake.value(key)->outcome == COWBENCH_OUTCOME_WITHHELD);
  CHECK(fake.value("largedir_stat_warm_ms")->outcome == COWBENCH_OUTCOME_OK);
}

TEST_CASE("files that vanish between two passes fail the phase") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  fake.section_io = [&](const std::string& section) {
    if (section == "create") fs::remove(scratch.path("large/f123"));
    return cowbench_io{};
  };
  CHECK_THROWS_WITH(LargeDirectoryPhase(fake.host()).run(),
                    Catch::Contains("found 499 of 500 files"));
}
