// SPDX-License-Identifier: Apache-2.0
#include "report/table.hpp"

#include <algorithm>

namespace cowbench {

namespace {

constexpr std::size_t kGap = 2;

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string cell_at(const TableRow& row, std::size_t column) {
  return column < row.cells.size() ? row.cells[column] : std::string();
}

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t widest = display_width(printable(table.columns[i].heading));
    for (const TableRow& row : table.rows) {
      if (row.title) continue;
      widest = std::max(widest, display_width(printable(cell_at(row, i))));
    }
    widths.push_back(widest);
  }
  return widths;
}

// The columns of each block: the fixed ones, then as many as fit.
std::vector<std::vector<std::size_t>> blocks_of(
    const Table& table, const std::vector<std::size_t>& widths,
    std::size_t width) {
  const std::size_t fixed = std::min(table.fixed, widths.size());
  std::vector<std::size_t> names;
  std::size_t names_width = 0;
  for (std::size_t i = 0; i < fixed; ++i) {
    names.push_back(i);
    names_width += widths[i] + kGap;
  }
  std::vector<std::vector<std::size_t>> blocks = {names};
  std::size_t used = names_width;
  for (std::size_t i = fixed; i < widths.size(); ++i) {
    const bool fits = width == 0 || used + widths[i] <= width;
    if (!fits && blocks.back().size() > fixed) {
      blocks.push_back(names);
      used = names_width;
    }
    blocks.back().push_back(i);
    used += widths[i] + kGap;
  }
  return blocks;
}

class TextTable {
 public:
  TextTable(const Table& table, std::size_t indent)
      : table_(table), widths_(column_widths(table)), indent_(indent, ' ') {}

  std::string text(std::size_t width) {
    const std::size_t room =
        width > indent_.size() ? width - indent_.size() : width;
    bool first = true;
    for (const auto& block : blocks_of(table_, widths_, room)) {
      if (!first) out_ += '\n';
      first = false;
      add_block(block);
    }
    return std::move(out_);
  }

 private:
  void add_block(const std::vector<std::size_t>& block) {
    TableRow headings;
    TableRow dashes;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      headings.cells.push_back(table_.columns[i].heading);
      dashes.cells.emplace_back(widths_[i], '-');
    }
    add_row(block, headings);
    add_row(block, dashes);
    for (const TableRow& row : table_.rows) {
      if (row.title) {
        add_line(printable(cell_at(row, 0)));
      } else {
        add_row(block, row);
      }
    }
  }

  void add_row(const std::vector<std::size_t>& block, const TableRow& row) {
    std::string line;
    for (std::size_t place = 0; place < block.size(); ++place) {
      const std::size_t column = block[place];
      const std::string cell = printable(cell_at(row, column));
      const std::string padding(widths_[column] - display_width(cell), ' ');
      if (place > 0) line.append(kGap, ' ');
      line += table_.columns[column].align == Align::kRight ? padding + cell
                                                            : cell + padding;
    }
    add_line(line);
  }

  void add_line(std::string line) {
    line.insert(0, indent_);
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + '\n';
  }

  const Table& table_;
  std::vector<std::size_t> widths_;
  std::string indent_;
  std::string out_;
};

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string table_text(const Table& table, std::size_t width,
                       std::size_t indent) {
  if (table.columns.empty()) return {};
  return TextTable(table, indent).text(width);
}

std::string table_markdown(const Table& table) {
  std::string out = "|";
  for (const TableColumn& column : table.columns) {
    out += " " + markdown_escaped(column.heading) + " |";
  }
  out += "\n|";
  for (const TableColumn& column : table.columns) {
    out += column.align == Align::kRight ? "--:|" : ":--|";
  }
  out += '\n';
  for (const TableRow& row : table.rows) {
    out += '|';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string cell = markdown_escaped(cell_at(row, i));
      if (cell.empty()) {
        out += " |";
      } else {
        out += (row.title ? " **" + cell + "**" : " " + cell) + " |";
      }
    }
    out += '\n';
  }
  return out;
}

std::string table_csv(const Table& table) {
  std::string out;
  const auto add_record = [&](auto field_at) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) out += ',';
      out += csv_field(field_at(i));
    }
    out += "\r\n";
  };
  add_record([&](std::size_t i) { return table.columns[i].heading; });
  for (const TableRow& row : table.rows) {
    if (row.title) continue;
    add_record([&](std::size_t i) { return cell_at(row, i); });
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // C1 controls are two bytes in UTF-8, and terminals obey them as well.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                    static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) ++i;
    clean += byte < 0x20 || byte == 0x7F || c1 ? ' ' : text[i];
  }
  return clean;
}

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view kMarkup = "\\|`*<_";
  std::string escaped;
  for (const char c : printable(text)) {
    if (kMarkup.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace cowbench
