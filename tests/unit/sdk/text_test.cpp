// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cowbench/text.hpp>

TEST_CASE("words are joined, empty ones too") {
  CHECK(cowbench::joined({}) == "");
  CHECK(cowbench::joined({"a"}) == "a");
  CHECK(cowbench::joined({"a", "b"}) == "a b");
  CHECK(cowbench::joined({"", "b", ""}, ",") == ",b,");
}

TEST_CASE("blanks go at both ends, and only there") {
  CHECK(cowbench::trimmed("") == "");
  CHECK(cowbench::trimmed(" \t\r\n") == "");
  CHECK(cowbench::trimmed("\ta b \n") == "a b");
}

TEST_CASE("booleans are written as in stack files") {
  CHECK(cowbench::true_or_false(true) == "true");
  CHECK(cowbench::true_or_false(false) == "false");
}
