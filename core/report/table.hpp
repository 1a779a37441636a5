// SPDX-License-Identifier: Apache-2.0
// A table of texts, and the three forms in which reports give it out. None of
// them uses colour or depends on the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cowbench {

enum class Align { kLeft, kRight };

struct TableColumn {
  std::string heading;
  Align align = Align::kLeft;
};

struct TableRow {
  std::vector<std::string> cells;  // missing ones are empty
  bool title = false;  // heads the rows below; only its first cell counts
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  // Leading columns that name a row. Where a table is wider than the terminal
  // it goes on below, in blocks that all begin with them.
  std::size_t fixed = 1;
};

// Aligned columns, two blanks apart, a line of dashes under the headings. Each
// line begins with `indent` blanks and is at most `width` columns long as long
// as one column fits beside the fixed ones; 0: no limit. Widths count
// characters of UTF-8, not bytes. Ends with a newline, unless there are no
// columns.
std::string table_text(const Table& table, std::size_t width = 0,
                       std::size_t indent = 0);

// A GitHub-flavoured Markdown table.
std::string table_markdown(const Table& table);

// RFC 4180: CRLF after each record, a heading record first, quotes where they
// are needed. Title rows are left out.
std::string table_csv(const Table& table);

// In one line and harmless on a terminal: control characters become blanks.
std::string printable(std::string_view text);

// A line of Markdown in which nothing is markup.
std::string markdown_escaped(std::string_view text);

}  // namespace cowbench
