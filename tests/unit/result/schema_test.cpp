// SPDX-License-Identifier: Apache-2.0
// What the fold writes is what the published schema describes.
#include <rapidjson/schema.h>

#include <catch2/catch.hpp>

#include "fixture.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

// Where the document breaks the schema, or empty.
std::string violation(const std::string& text) {
  const auto schema = parse_json(
      read(COWBENCH_SOURCE_DIR "/configs/schema/result.schema.json"));
  const auto document = parse_json(text);
  REQUIRE(schema);
  REQUIRE(document);
  const rapidjson::SchemaDocument compiled(*schema);
  rapidjson::SchemaValidator validator(compiled);
  if (document->Accept(validator)) return {};
  rapidjson::StringBuffer where;
  validator.GetInvalidDocumentPointer().StringifyUriFragment(where);
  return std::string(where.GetString()) + " breaks " +
         validator.GetInvalidSchemaKeyword();
}

std::string folded(const std::string& log) {
  const auto text = fold_events(log);
  REQUIRE(text);
  return *text;
}

}  // namespace

TEST_CASE("every stored log folds to what the schema describes") {
  for (const std::string& name : kLogs) {
    CAPTURE(name);
    CHECK(violation(folded(log_of(name))) == "");
  }
}

TEST_CASE("a log cut anywhere folds to what the schema describes") {
  const std::string log = log_of("withheld");
  for (std::size_t end = log.find('\n'); end != std::string::npos;
       end = log.find('\n', end + 1)) {
    CAPTURE(end);
    CHECK(violation(folded(log.substr(0, end + 1))) == "");
  }
}

TEST_CASE("logs of little content fold to what the schema describes") {
  CHECK(violation(folded(small_start())) == "");
  CHECK(violation(folded(small_start() + small_end())) == "");
  CHECK(violation(folded(small_start() +
                         "{\"type\":\"phase-end\",\"phase\":\"q\"}\n"
                         "{\"type\":\"quiesce\",\"duration_ns\":4}\n"
                         "{\"type\":\"metric\",\"phase\":\"p\","
                         "\"key\":\"z\",\"outcome\":\"withheld\"}\n" +
                         small_end())) == "");
}

TEST_CASE("the schema refuses a document that lacks a part") {
  std::string text = folded(log_of("ok"));
  const std::string key = "\"teardown_ns\"";
  text.replace(text.find(key), key.size(), "\"late_ns\"");
  CHECK(violation(text) == "#/time breaks required");
}
