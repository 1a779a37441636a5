// SPDX-License-Identifier: Apache-2.0
#include "config/problem.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace cowbench {

std::string Problem::text() const {
  std::string line_text = file;
  if (line > 0) line_text += ":" + std::to_string(line);
  if (line > 0 && column > 0) line_text += ":" + std::to_string(column);
  if (!line_text.empty()) line_text += ": ";
  if (!pointer.empty()) line_text += pointer + ": ";
  return line_text + message;
}

std::string problems_text(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += problem.text() + "\n";
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMaximum = 60;
  std::size_t size = std::min(text.size(), kMaximum);
  // Not in the middle of a character.
  while (size < text.size() && size > 0 &&
         (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) {
    --size;
  }
  std::string result = "\"";
  for (const char c : text.substr(0, size)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      result += c;
      continue;
    }
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x", byte);
    result += escape.data();
  }
  return result + (size < text.size() ? "...\"" : "\"");
}

}  // namespace cowbench
