// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace cowbench;

namespace {

std::string written(double number) { return JsonWriter().value(number).text(); }

}  // namespace

TEST_CASE("the writer streams every kind of value") {
  JsonWriter json;
  json.begin_object()
      .field("text", "a\"b\n")
      .field("view", std::string_view("v"))
      .field("truth", true)
      .field("small", std::int32_t{-1})
      .field("large", std::numeric_limits<std::uint64_t>::max())
      .key("list")
      .begin_array()
      .value(1)
      .null()
      .raw(R"({"x":[]})")
      .end_array()
      .end_object();
  CHECK(json.text() ==
        R"({"text":"a\"b\n","view":"v","truth":true,"small":-1,)"
        R"("large":18446744073709551615,"list":[1,null,{"x":[]}]})");
}

TEST_CASE("a number read back is the number written") {
  for (const double number : {0.1, 1.0 / 3.0, 1e-300, 1.7976931348623157e308,
                              123456789.123456789, -5.0}) {
    const auto document = parse_json(written(number));
    REQUIRE(document.ok());
    CHECK(document->GetDouble() == number);
  }
}

TEST_CASE("numbers that JSON does not have become null") {
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(written(std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("parse errors name line and column") {
  const auto document = parse_json("{\n  \"a\": 1,\n}");
  REQUIRE_FALSE(document.ok());
  CHECK(document.error().category() == Category::kUsage);
  CHECK(document.error().message().find(
            "not valid JSON at line 3, column 1: ") == 0);
  CHECK_FALSE(parse_json("").ok());
  CHECK_FALSE(parse_json("[\"\xff\"]").ok());
  CHECK_FALSE(parse_json("{} {}").ok());
}

TEST_CASE("deep nesting does not overflow the stack") {
  const std::string deep(1 << 20, '[');
  CHECK_FALSE(parse_json(deep).ok());
}

TEST_CASE("accessors fall back when absent or of another type") {
  const auto document = parse_json(
      R"({"s": "x", "d": 1.5, "i": -2, "u": 18446744073709551615, "b": true})");
  REQUIRE(document.ok());
  CHECK(string_at(*document, "s") == "x");
  CHECK(string_at(*document, "d", "none") == "none");
  CHECK(string_at(*document, "z", "none") == "none");
  CHECK(double_at(*document, "d") == 1.5);
  CHECK(double_at(*document, "i") == -2.0);
  CHECK(double_at(*document, "s", 7.0) == 7.0);
  CHECK(int_at(*document, "i") == -2);
  CHECK(int_at(*document, "u", 3) == 3);
  CHECK(uint_at(*document, "u") == std::numeric_limits<std::uint64_t>::max());
  CHECK(uint_at(*document, "i", 4) == 4);
  CHECK(bool_at(*document, "b"));
  CHECK(bool_at(*document, "s", true));
  CHECK(member_at(*document, "z") == nullptr);
  CHECK(member_at(*member_at(*document, "s"), "x") == nullptr);
}

TEST_CASE("pretty text ends with a newline and reads back the same") {
  const auto document = parse_json(R"({"a":[1,{"b":null}]})");
  REQUIRE(document.ok());
  const std::string pretty = pretty_json(*document);
  CHECK(pretty ==
        "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n"
        "  ]\n}\n");
  const auto again = parse_json(pretty);
  REQUIRE(again.ok());
  CHECK(*again == *document);
}

TEST_CASE("bytes that are no UTF-8 are replaced when they are written") {
  CHECK(valid_utf8("plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x90\x84") ==
        "plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x90\x84");
  CHECK(valid_utf8("a\xFF"
                   "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(valid_utf8("\xC3") == "\xEF\xBF\xBD");
  CHECK(valid_utf8("\xC0\xAF") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(valid_utf8("\xED\xA0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  const std::string line =
      JsonWriter().begin_object().field("k", "x\xFFy").end_object().text();
  REQUIRE(parse_json(line).ok());
}

TEST_CASE("a zero byte does not end a document") {
  CHECK_FALSE(parse_json(std::string_view("{}\0x", 4)).ok());
}
