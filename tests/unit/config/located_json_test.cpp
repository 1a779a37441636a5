// SPDX-License-Identifier: Apache-2.0
#include "config/located_json.hpp"

#include <catch2/catch.hpp>

using cowbench::JsonNode;
using cowbench::LocatedJson;
using cowbench::parse_located_json;

namespace {

std::string syntax_error(std::string_view text) {
  const LocatedJson json = parse_located_json(text, "f.json");
  REQUIRE_FALSE(json.parsed);
  REQUIRE(json.problems.size() == 1);
  return json.problems[0].text();
}

}  // namespace

TEST_CASE("each value and key knows its place") {
  const std::string text =
      "{ \"a\" :\n"
      "  [ 1, -2.5e1,\n"
      "    { \"x/y~z\": \"t\",\n\n      \"deep\"\n: [[], {}, null] } ],\n"
      "  \"b\": true }\n";
  const LocatedJson json = parse_located_json(text, "f.json");
  REQUIRE(json.parsed);
  CHECK(json.problems.empty());
  CHECK(json.root.kind == JsonNode::Kind::kObject);
  CHECK(json.root.pointer == "");
  CHECK(json.root.line == 1);

  const JsonNode& a = *json.root.find("a");
  CHECK(a.key_line == 1);
  CHECK(a.line == 2);
  CHECK(text[a.offset] == '[');
  CHECK(text.substr(a.key_offset, 3) == "\"a\"");
  CHECK(a.children[0].integer == 1);
  CHECK(a.children[0].pointer == "/a/0");
  CHECK(a.children[1].number == -25.0);
  CHECK(a.children[1].text == "-2.5e1");
  CHECK(text.substr(a.children[1].offset, 6) == "-2.5e1");

  const JsonNode& object = a.children[2];
  CHECK(object.line == 3);
  CHECK(object.find("x/y~z")->pointer == "/a/2/x~1y~0z");
  const JsonNode& deep = *object.find("deep");
  CHECK(deep.key_line == 5);
  CHECK(deep.line == 6);
  CHECK(deep.children[2].pointer == "/a/2/deep/2");
  CHECK(text.substr(deep.children[1].offset, 2) == "{}");
  CHECK(text.substr(deep.children[2].offset, 4) == "null");

  const JsonNode& b = *json.root.find("b");
  CHECK(b.line == 7);
  CHECK(b.truth);
  CHECK(json.root.find("c") == nullptr);
  CHECK(b.find("a") == nullptr);
}

TEST_CASE("numbers that do not fit int64 are no integers") {
  const LocatedJson json = parse_located_json(
      "[9223372036854775807, 9223372036854775808, 18446744073709551615, 1.0]",
      "");
  REQUIRE(json.parsed);
  CHECK(json.root.children[0].kind == JsonNode::Kind::kInteger);
  CHECK(json.root.children[0].integer == INT64_MAX);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(json.root.children[i].kind == JsonNode::Kind::kNumber);
  }
  CHECK(json.root.children[2].text == "18446744073709551615");
}

TEST_CASE("a key given twice is a problem in its object only") {
  const LocatedJson json = parse_located_json(
      "{\"a\": {\"b\": 1,\n\"b\": 2,\n\"b\": 3}, \"b\": 4}", "f.json");
  REQUIRE(json.parsed);
  REQUIRE(json.problems.size() == 2);
  CHECK(json.problems[0].text() ==
        "f.json:2: /a/b: the key is given twice in this object; line 1 has it "
        "first");
  CHECK(json.problems[1].line == 3);
  CHECK(json.root.find("a")->find("b")->integer == 1);
}

TEST_CASE("syntax errors tell line and column in characters") {
  CHECK(syntax_error("{\n  \"\xc3\xa4\": 01\n}") ==
        "f.json:2:9: not valid JSON: expected \",\" or \"}\", found \"1\"");
  CHECK(syntax_error("[1 2]") ==
        "f.json:1:4: not valid JSON: expected \",\" or \"]\", found \"2\"");
  CHECK(syntax_error("{\"a\" 1}") ==
        "f.json:1:6: not valid JSON: expected \":\" after the key, found "
        "\"1\"");
  CHECK(syntax_error("[\"abc") ==
        "f.json:1:6: not valid JSON: expected a closing double quote, found "
        "the end of the file");
  CHECK(syntax_error("[\"\\u12x4\"]").find("four hexadecimal digits") !=
        std::string::npos);
  CHECK(syntax_error("[\"\\ud800\"]").find("surrogate pair") !=
        std::string::npos);
  CHECK(syntax_error("[1e999]").find("a number below") != std::string::npos);
  CHECK(syntax_error("[1,]").find("no comma may follow the last entry") !=
        std::string::npos);
  CHECK(syntax_error("\xef\xbb\xbf{}").find("remove the byte order mark") !=
        std::string::npos);
}

TEST_CASE("what only looks like the end of the file is refused") {
  using namespace std::string_literals;
  CHECK(syntax_error("{}\0{}"s) ==
        "f.json:1:3: not valid JSON: expected the end of the file, found byte "
        "0x00");
  CHECK(syntax_error("\0"s).find("found byte 0x00") != std::string::npos);
  CHECK(syntax_error("[\"a\0b\"]"s).find("0x00") != std::string::npos);
}

TEST_CASE("text that is not UTF-8 is refused") {
  CHECK(syntax_error("[\"\xff\"]").find("expected UTF-8") != std::string::npos);
}

TEST_CASE("nesting has a limit") {
  const std::string deep(64, '[');
  CHECK(parse_located_json(deep + std::string(64, ']'), "").parsed);
  CHECK(syntax_error("[" + deep + std::string(65, ']')) ==
        "f.json:1:65: not valid JSON: expected at most 64 levels of nesting, "
        "found \"[\"");
  CHECK(syntax_error(std::string(1 << 20, '[')).find("64 levels") !=
        std::string::npos);
}

TEST_CASE("quoted text is cut and made harmless") {
  CHECK(cowbench::in_quotes("a\x1b[31m\n") == "\"a\\u001b[31m\\u000a\"");
  CHECK(cowbench::in_quotes(std::string(61, 'x')) ==
        "\"" + std::string(60, 'x') + "...\"");
  // Not in the middle of a character.
  CHECK(cowbench::in_quotes(std::string(59, 'x') + "\xc3\xa4") ==
        "\"" + std::string(59, 'x') + "...\"");
}

TEST_CASE("a problem prints only what is known of its place") {
  cowbench::Problem problem;
  problem.message = "m";
  CHECK(problem.text() == "m");
  problem.file = "f";
  CHECK(problem.text() == "f: m");
  problem.line = 3;
  problem.pointer = "/a";
  CHECK(problem.text() == "f:3: /a: m");
}
