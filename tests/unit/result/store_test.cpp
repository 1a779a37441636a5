// SPDX-License-Identifier: Apache-2.0
#include "result/store.hpp"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "fixture.hpp"

using namespace cowbench;
using namespace cowbench_test;
namespace fs = std::filesystem;

namespace {

// A results folder of its own, removed with the test.
class Results {
 public:
  Results() {
    std::string name =
        (fs::temp_directory_path() / "cowbench-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
    root_ = name;
  }
  ~Results() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  std::string path(const std::string& below = "") const {
    return below.empty() ? root_ : root_ + "/" + below;
  }
  void write(const std::string& below, const std::string& text) const {
    fs::create_directories(fs::path(path(below)).parent_path());
    std::ofstream(path(below), std::ios::binary) << text;
  }

 private:
  std::string root_;
};

std::vector<std::string> paths_of(const ResultSet& set) {
  std::vector<std::string> paths;
  for (const StoredResult& result : set.results) paths.push_back(result.path);
  return paths;
}

}  // namespace

TEST_CASE("refold writes the fold of the log beside it") {
  const Results results;
  results.write("events.jsonl", log_of("ok"));
  REQUIRE(refold(results.path()));
  CHECK(read(results.path("result.json")) == *fold_events(log_of("ok")));
  CHECK(std::distance(fs::directory_iterator(results.path()),
                      fs::directory_iterator()) == 2);
}

TEST_CASE("refold without a usable log says which file") {
  const Results results;
  const Status absent = refold(results.path());
  REQUIRE_FALSE(absent);
  CHECK_THAT(absent.error().message(), Catch::Contains("events.jsonl"));
  results.write("events.jsonl", "{}\n");
  const Status empty = refold(results.path());
  REQUIRE_FALSE(empty);
  CHECK_THAT(empty.error().message(), Catch::Contains("events.jsonl"));
}

TEST_CASE("results are found from any folder above them") {
  const Results results;
  results.write("run1/b-r1/result.json", *fold_events(log_of("ok")));
  results.write("run1/a-r1/result.json", *fold_events(log_of("withheld")));
  results.write("run1/a-r1/raw/notes.json", "{}");
  results.write("run1/run.json", "{}");
  const std::string a = results.path("run1/a-r1/result.json");
  const std::string b = results.path("run1/b-r1/result.json");
  using Paths = std::vector<std::string>;

  CHECK(paths_of(load_results({results.path()})) == Paths{a, b});
  CHECK(paths_of(load_results({results.path("run1")})) == Paths{a, b});
  CHECK(paths_of(load_results({results.path("run1/b-r1")})) == Paths{b});
  CHECK(paths_of(load_results({b, a})) == Paths{b, a});
}

TEST_CASE("a result named twice counts once") {
  const Results results;
  results.write("run1/a-r1/result.json", *fold_events(log_of("ok")));
  results.write("run1/a-r1/events.jsonl", log_of("ok"));
  const ResultSet set =
      load_results({results.path("run1/a-r1/result.json"), results.path(),
                    results.path("run1/a-r1/events.jsonl")});
  CHECK(set.results.size() == 1);
  CHECK(set.unreadable.empty());
}

TEST_CASE("a log without a result is folded in memory") {
  const Results results;
  results.write("events.jsonl", log_of("interrupted"));
  const ResultSet set = load_results({results.path()});
  REQUIRE(set.results.size() == 1);
  CHECK(set.results[0].document.job.outcome == Outcome::kInterrupted);
  CHECK_FALSE(fs::exists(results.path("result.json")));
}

TEST_CASE("a result older than its log is folded anew") {
  const Results results;
  results.write("result.json", *fold_events(log_of("interrupted")));
  results.write("events.jsonl", log_of("ok"));
  fs::last_write_time(results.path("result.json"),
                      fs::last_write_time(results.path("events.jsonl")) -
                          std::chrono::seconds(10));
  const ResultSet set = load_results({results.path()});
  REQUIRE(set.results.size() == 1);
  CHECK(set.results[0].document.job.outcome == Outcome::kOk);
}

TEST_CASE("what cannot be read is listed with its reason") {
  const Results results;
  results.write("run/a-r1/result.json", *fold_events(log_of("ok")));
  results.write("run/b-r1/result.json", "{ \"schema\": ");
  results.write("run/c-r1/events.jsonl", "");
  fs::create_directories(results.path("empty"));
  const ResultSet set = load_results(
      {results.path("run"), results.path("empty"), results.path("absent")});
  CHECK(set.results.size() == 1);
  REQUIRE(set.unreadable.size() == 4);
  CHECK(set.unreadable[0].path == results.path("run/b-r1/result.json"));
  CHECK_THAT(set.unreadable[0].reason, Catch::Contains("not valid JSON"));
  CHECK(set.unreadable[1].path == results.path("run/c-r1/events.jsonl"));
  CHECK_THAT(set.unreadable[1].reason, Catch::Contains("no job-start"));
  CHECK(set.unreadable[2].reason == "no result lies here or below");
  CHECK(set.unreadable[3].reason == "no such file or folder");
}
