// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "fio/run.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

fio::Request request(const std::vector<std::string>& jobs) {
  fio::Request made;
  made.name = "trial";
  for (const std::string& job : jobs) made.jobs.push_back({job, {}});
  return made;
}

// The status and message with which a run is judged.
std::pair<cowbench_status, std::string> verdict(const fio::Request& made,
                                                const CommandResult& result,
                                                const std::string& output) {
  try {
    fio::judge(made, result, output);
  } catch (const Error& error) {
    return {error.status(), error.what()};
  }
  return {COWBENCH_OK, ""};
}

}  // namespace

TEST_CASE("fio gets one argument vector with the options of each job") {
  fio::Request made;
  made.name = "trial";
  made.options = {"bs=4096"};
  made.jobs = {{"a", {"filename=/x"}}, {"b", {"filename=/y"}}};
  CHECK(fio::command_line(made, "/raw/out.json") ==
        std::vector<std::string>{"fio", "--output=/raw/out.json",
                                 "--output-format=json", "--eta=never",
                                 "--bs=4096", "--name=a", "--filename=/x",
                                 "--name=b", "--filename=/y"});
}

TEST_CASE("fio's clean run is accepted") {
  CHECK(verdict(request({"seqwrite"}), FakeHost::exits(0),
                fixture("fio-3.33/seqwrite.json"))
            .first == COWBENCH_OK);
}

TEST_CASE("fio failing one job of two is a failure of that job") {
  const auto [status, message] =
      verdict(request({"fits", "full"}), FakeHost::exits(1),
              fixture("fio-3.33/one-job-of-two-enospc.json"));
  CHECK(status == COWBENCH_NO_SPACE);
  CHECK(message ==
        "fio (trial): job full failed with error 28 (No space left on device)");
}

TEST_CASE("fio's failed job counts even when fio exits with 0") {
  CHECK(verdict(request({"fits", "full"}), FakeHost::exits(0),
                fixture("fio-3.33/one-job-of-two-enospc.json"))
            .first == COWBENCH_NO_SPACE);
}

TEST_CASE("fio killed by a signal is said to be") {
  CommandResult killed;
  killed.signal = 9;
  const auto [status, message] = verdict(request({"x"}), killed, "");
  CHECK(status == COWBENCH_TOOL_FAILED);
  CHECK(message == "fio (trial) was killed by signal 9 (Killed)");
}

TEST_CASE("fio ended early is no result although its report is whole") {
  const auto [status, message] =
      verdict(request({"x"}), FakeHost::exits(128),
              fixture("fio-3.33/ended-by-sigterm.json"));
  CHECK(status == COWBENCH_TOOL_FAILED);
  CHECK_THAT(message, Catch::Contains("exited with 128"));
}

TEST_CASE("fio stopped on request is not a failure of fio") {
  CommandResult stopped;
  stopped.stopped = true;
  stopped.signal = 15;
  CHECK(verdict(request({"x"}), stopped, "").first == COWBENCH_CANCELLED);
  CommandResult late;
  late.timed_out = true;
  late.signal = 9;
  CHECK(verdict(request({"x"}), late, "").first == COWBENCH_TIMEOUT);
}

TEST_CASE("fio without output or with text only is told apart") {
  CHECK(verdict(request({"x"}), FakeHost::exits(0), "").second ==
        "fio (trial) exited with 0: fio wrote no output");
  const std::string refusal = fixture("fio-3.33/bad-option.txt");
  CHECK_THAT(verdict(request({"x"}), FakeHost::exits(1), refusal).second,
             Catch::Contains("exited with 1") &&
                 Catch::Contains("unrecognized option"));
}

TEST_CASE("fio must report the jobs it was given") {
  CHECK_THAT(verdict(request({"seqwrite", "other"}), FakeHost::exits(0),
                     fixture("fio-3.33/seqwrite.json"))
                 .second,
             Catch::Contains("asked for 2 jobs, the report holds 1"));
}

TEST_CASE("fio that is not installed is not available") {
  FakeHost fake;
  fake.reply_not_installed("fio");
  try {
    fio::run(fake.host(), request({"x"}));
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.status() == COWBENCH_NOT_AVAILABLE);
    CHECK_THAT(error.what(), Catch::Contains("package fio"));
  }
}

TEST_CASE("fio's version is reported") {
  FakeHost fake;
  fake.reply("fio --version",
             FakeHost::exits(0, fixture("fio-3.33/version.txt")));
  fio::report_version(fake.host());
  CHECK(fake.versions.at("fio") == "3.33");
}

TEST_CASE("fio's seeds differ by run and by job and never are zero") {
  CHECK(fio::derive_seed(1, "a", 0) == fio::derive_seed(1, "a", 0));
  CHECK(fio::derive_seed(1, "a", 0) != fio::derive_seed(2, "a", 0));
  CHECK(fio::derive_seed(1, "a", 0) != fio::derive_seed(1, "b", 0));
  CHECK(fio::derive_seed(1, "a", 0) != fio::derive_seed(1, "a", 1));
  CHECK(fio::derive_seed(0, "", 0) != 0);
}
