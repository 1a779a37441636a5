// SPDX-License-Identifier: Apache-2.0
#include "result/document.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;

namespace {

std::string error_of(const std::string& text) {
  const auto document = parse_document(text);
  return document ? "" : document.error().message();
}

constexpr Outcome kOutcomes[] = {
    Outcome::kOk,           Outcome::kNotApplicable, Outcome::kNotAvailable,
    Outcome::kNotRequested, Outcome::kWithheld,      Outcome::kFailed,
    Outcome::kInterrupted};

}  // namespace

TEST_CASE("every outcome has a text that leads back to it") {
  for (const Outcome outcome : kOutcomes) {
    CHECK(parse_outcome(outcome_text(outcome)) == outcome);
  }
  CHECK_FALSE(parse_outcome(""));
  CHECK_FALSE(parse_outcome("OK"));
}

TEST_CASE("an outcome is judged with its reason") {
  using Judged = std::pair<Outcome, std::string>;
  CHECK(judge("ok", "well done") == Judged{Outcome::kOk, ""});
  CHECK(judge("failed", "why") == Judged{Outcome::kFailed, "why"});
  CHECK(judge("withheld", "") ==
        Judged{Outcome::kWithheld, "no reason was given"});
  CHECK(judge("blessed", "why") ==
        Judged{Outcome::kFailed, "unknown outcome \"blessed\": why"});
}

TEST_CASE("what is no result is refused with what it is not") {
  CHECK_THAT(error_of("{"), Catch::Contains("not valid JSON at line 1"));
  CHECK_THAT(error_of("[]"), Catch::Contains("not a cowbench result"));
  CHECK_THAT(error_of("{}"), Catch::Contains("not a cowbench result"));
  CHECK_THAT(error_of(R"({"schema":"cowbench-result","schema_version":2})"),
             Catch::Contains("result schema version 2"));
  CHECK_THAT(error_of(R"({"schema":"cowbench-result","schema_version":1})"),
             Catch::Contains("names no stack"));
}

TEST_CASE("absent and unknown parts of a result do no harm") {
  const auto document = parse_document(
      R"({"schema":"cowbench-result","schema_version":1,)"
      R"("job":{"stack":"s","outcome":"ok"},"phases":[7,{"metrics":"x"}],)"
      R"("later":true})");
  REQUIRE(document);
  CHECK(document->job.stack == "s");
  CHECK(document->environment->IsNull());
  CHECK(document->members->IsNull());
  CHECK(document->phases.size() == 2);
}

TEST_CASE("a copy of a document outlives the original") {
  ResultDocument copy;
  {
    const auto document = parse_document(
        R"({"schema":"cowbench-result","schema_version":1,)"
        R"("job":{"stack":"s","outcome":"ok"},"environment":{"kernel":"k"}})");
    REQUIRE(document);
    copy = *document;
  }
  CHECK(string_at(*copy.environment, "kernel") == "k");
}

TEST_CASE("JSON reads as people write it") {
  const auto json = parse_json(R"({"a":"x","b":3,"c":[1,"y"]})");
  REQUIRE(json);
  CHECK(plain_text((*json)["a"]) == "x");
  CHECK(plain_text((*json)["b"]) == "3");
  CHECK(plain_text((*json)["c"]) == R"([1,"y"])");
}
