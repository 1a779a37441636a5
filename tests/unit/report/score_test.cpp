// SPDX-License-Identifier: Apache-2.0
// Model v1 against the scores that the published dashboard shows. What needs
// all published documents: tests/unit/reference.
#include "report/score.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "base/json.hpp"
#include "score_check.hpp"

namespace fs = std::filesystem;
using namespace cowbench;

namespace {

// Fixture files hold documents by run; here they become the folders that the
// program reads.
class History {
 public:
  explicit History(const std::string& fixture)
      : text_(cowbench_test::file_text(COWBENCH_FIXTURES "/published/" +
                                       fixture)),
        json_(*parse_json(text_)) {
    std::string pattern = (fs::temp_directory_path() / "cowbench-XXXXXX");
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
    for (const auto& run : json_["runs"].GetObject()) {
      int number = 0;
      for (const auto& document : run.value.GetArray()) {
        JsonWriter json;
        json.value(document);
        write(std::string(run.name.GetString()) + "/result-" +
                  std::to_string(number++) + ".json",
              json.text());
      }
    }
  }
  ~History() { fs::remove_all(root_); }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  PublishedHistory load() const { return load_published(root_); }
  const JsonValue& cohorts() const { return json_["cohorts"]; }

 private:
  std::string text_;
  JsonDocument json_;
  fs::path root_;
};

}  // namespace

TEST_CASE("score v1 gives the published scores of the last hosted runs") {
  const History files("score-hosted.json");
  const PublishedHistory history = files.load();
  CHECK(history.unreadable.empty());
  const auto checked =
      cowbench_test::check_scores(history.runs, files.cohorts());
  CHECK(checked.rows == 104);
  CHECK(checked.faults == "");
}

TEST_CASE("score v1 treats zeros, gaps and names as published") {
  const History files("score-edge-cases.json");
  const auto checked =
      cowbench_test::check_scores(files.load().runs, files.cohorts());
  CHECK(checked.rows == 9);
  CHECK(checked.faults == "");
}

TEST_CASE("what is no document is named, and the others are read") {
  const History files("score-edge-cases.json");
  files.write("1/result-broken.json", "{");
  files.write("1/result-empty.json", "");
  files.write("1/result-other.json", R"({"fs": "x", "layout": "y"})");
  files.write("1/result-zz.json",
              R"({"fs": "ext4", "layout": "single", "results": {}})");
  files.write("1/notes.json", "not looked at");
  const PublishedHistory history = files.load();
  CHECK(history.runs.size() == 4);
  REQUIRE(history.unreadable.size() == 4);
  CHECK_THAT(history.unreadable[0].reason, Catch::Contains("not JSON"));
  CHECK_THAT(history.unreadable[1].reason, Catch::Contains("not JSON"));
  CHECK_THAT(history.unreadable[2].reason, Catch::Contains("\"results\""));
  CHECK_THAT(history.unreadable[3].reason,
             Catch::Contains("second document of ext4/single"));
}

TEST_CASE("a score model that makes no sense is refused") {
  CHECK_FALSE(parse_score_model("{"));
  CHECK_FALSE(parse_score_model("{}"));
  CHECK_FALSE(parse_score_model(R"({"name": "x", "window": 0})"));
}

TEST_CASE("an unknown cohort is none") {
  const auto model = cowbench_test::shipped_model();
  CHECK_FALSE(cohort_of({}, model, "cows"));
  CHECK(cohort_of({}, model, "all")->empty());
  CHECK(score({}, model, {}).rows.empty());
}
