// SPDX-License-Identifier: Apache-2.0
#include "report/table.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;

namespace {

Table small_table() {
  Table table;
  table.columns = {{"metric"}, {"a", Align::kRight}, {"b", Align::kRight}};
  table.rows = {{{"group"}, true}, {{"read", "1", "200"}}, {{"write", "30"}}};
  return table;
}

}  // namespace

TEST_CASE("text columns are aligned and carry no trailing blanks") {
  CHECK(table_text(small_table()) ==
        "metric   a    b\n"
        "------  --  ---\n"
        "group\n"
        "read     1  200\n"
        "write   30\n");
}

TEST_CASE("each line of a text table begins with the indent") {
  Table table;
  table.columns = {{"x"}};
  table.rows = {{{"1"}}};
  CHECK(table_text(table, 0, 3) == "   x\n   -\n   1\n");
}

TEST_CASE("a table without columns has no text") {
  CHECK(table_text(Table()).empty());
}

TEST_CASE("a table wider than the terminal goes on below") {
  CHECK(table_text(small_table(), 12) ==
        "metric   a\n"
        "------  --\n"
        "group\n"
        "read     1\n"
        "write   30\n"
        "\n"
        "metric    b\n"
        "------  ---\n"
        "group\n"
        "read    200\n"
        "write\n");
}

TEST_CASE("no line is longer than the width where the columns fit alone") {
  for (std::size_t width = 11; width < 20; ++width) {
    const std::string text = table_text(small_table(), width);
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = text.find('\n', start);
      CHECK(end - start <= width);
      start = end + 1;
    }
  }
}

TEST_CASE("a terminal too narrow for anything still shows every column") {
  const std::string text = table_text(small_table(), 1);
  CHECK_THAT(text, Catch::Contains("read     1"));
  CHECK_THAT(text, Catch::Contains("read    200"));
}

TEST_CASE("widths count characters and not bytes") {
  Table table;
  table.columns = {{"unit"}, {"n"}};
  table.rows = {{{"\xC2\xB5s", "1"}}, {{"ms", "2"}}};
  CHECK(table_text(table) ==
        "unit  n\n"
        "----  -\n"
        "\xC2\xB5s    1\n"
        "ms    2\n");
}

TEST_CASE("control characters never reach the terminal") {
  CHECK(printable("a\x1B[2Jb\nc\td\x7F\xC2\x9B"
                  "e") == "a [2Jb c d  e");
  CHECK(printable("\xC3\xA9\xC2\xB5") == "\xC3\xA9\xC2\xB5");
  CHECK(printable("\xC2") == "\xC2");
}

TEST_CASE("Markdown escapes what would be markup") {
  Table table;
  table.columns = {{"a|b"}, {"n", Align::kRight}};
  table.rows = {{{"group"}, true}, {{"x*y\nz", "1"}}};
  CHECK(table_markdown(table) ==
        "| a\\|b | n |\n"
        "|:--|--:|\n"
        "| **group** | |\n"
        "| x\\*y z | 1 |\n");
}

TEST_CASE("CSV quotes what RFC 4180 wants quoted") {
  Table table;
  table.columns = {{"a"}, {"b"}, {"c"}};
  table.rows = {{{"group"}, true},
                {{"plain", "one, two", "say \"no\""}},
                {{"line\nbreak", "", " blank "}},
                {{"short"}}};
  CHECK(table_csv(table) ==
        "a,b,c\r\n"
        "plain,\"one, two\",\"say \"\"no\"\"\"\r\n"
        "\"line\nbreak\",, blank \r\n"
        "short,,\r\n");
}
