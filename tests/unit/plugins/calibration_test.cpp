// SPDX-License-Identifier: Apache-2.0
#include "calibration/calibration.hpp"

#include <catch2/catch.hpp>

#include "calibration/processor_loops.hpp"
#include "fake_fio.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;
using cowbench::testing::Scratch;

namespace {

// Jobs here are named like the metrics; the stored outputs are not.
CommandResult fake_fio(const Command& command) {
  std::string output, job;
  for (const std::string& word : command.argv) {
    if (word.rfind("--output=", 0) == 0) output = word.substr(9);
    if (word.rfind("--name=", 0) == 0) job = word.substr(7);
  }
  const bool stream = job == "calibration_seqwrite";
  std::string text =
      fixture(stream ? "fio-3.33/seqwrite.json" : "fio-3.33/randwrite.json");
  const std::string stored = stream ? "\"seqwrite\"" : "\"randwrite-0\"";
  text.replace(text.find(stored), stored.size(), "\"" + job + "\"");
  std::ofstream(output) << text;
  return FakeHost::exits(0);
}

void prepare(FakeHost& fake, const Scratch& scratch) {
  fake.describe<calibration::Calibration>();
  fake.set("tree_files", "300");
  fake.set("directory_files", "500");
  fake.directory = fake.artifact_directory = fake.memory_directory =
      scratch.path();
  fake.on_run = fake_fio;
}

}  // namespace

TEST_CASE("calibration emits every metric once and leaves nothing behind") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  calibration::Calibration(fake.host()).run();
  CHECK(fake.breaches.empty());
  CHECK(fake.missing_metrics().empty());
  for (const std::string& key : fake.metrics) CHECK(fake.figure(key) > 0);
  CHECK(fake.value("calibration_cpu_score")->samples.size() == 5);
  CHECK(fake.value("floor_largedir_stat_ms")->observations == 500);
  CHECK(fake.marks.empty());
  CHECK_FALSE(std::filesystem::exists(scratch.path() + "/tree"));
  CHECK_FALSE(std::filesystem::exists(scratch.path() + "/large"));
}

TEST_CASE("calibration marks a host below a floor and ends the job") {
  const Scratch scratch;
  FakeHost fake;
  prepare(fake, scratch);
  fake.set("floor_randwrite_iops", "1000000000");
  calibration::Calibration(fake.host()).run();
  REQUIRE(fake.marks.size() == 1);
  CHECK(fake.marks[0].name == "weak host");
  CHECK(fake.marks[0].end_job);
  CHECK_THAT(fake.marks[0].reason,
             Catch::Contains("calibration.floor_randwrite_iops"));
}

TEST_CASE("calibration's loop depends on every step") {
  CHECK(calibration::mix_chain(1, 1) != calibration::mix_chain(1, 2));
  CHECK(calibration::mix_chain(calibration::mix_chain(1, 3), 4) ==
        calibration::mix_chain(1, 7));
}
