// SPDX-License-Identifier: Apache-2.0
#include "vm/console.hpp"

#include <vector>

#include "base/text.hpp"

namespace cowbench {

namespace {

constexpr std::string_view kPanic = "Kernel panic - not syncing";
constexpr std::string_view kInit = "cowbench-init: ";

// Without carriage returns, escape sequences and the like.
std::string plain(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      // Parameters end with a letter.
      while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
    } else if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') {
      text += c;
    }
  }
  return std::string(trim(text));
}

}  // namespace

std::string panic_in(std::string_view console) {
  const auto found = console.find(kPanic);
  if (found == std::string_view::npos) return {};
  std::string_view rest = console.substr(found + kPanic.size());
  rest = rest.substr(0, rest.find('\n'));
  if (rest.starts_with(":")) rest.remove_prefix(1);
  const std::string text = plain(rest);
  return text.empty() ? "no reason given" : text;
}

std::string init_complaint_in(std::string_view console) {
  const auto found = console.rfind(kInit);
  if (found == std::string_view::npos) return {};
  std::string_view rest = console.substr(found + kInit.size());
  return plain(rest.substr(0, rest.find('\n')));
}

std::string last_lines(std::string_view console, std::size_t count) {
  std::vector<std::string> lines;
  while (!console.empty() && lines.size() < count) {
    const auto newline = console.rfind('\n');
    const auto begin = newline == std::string_view::npos ? 0 : newline + 1;
    std::string text = plain(console.substr(begin));
    if (!text.empty()) lines.insert(lines.begin(), std::move(text));
    console = console.substr(0, begin == 0 ? 0 : newline);
  }
  return join(lines, " | ");
}

}  // namespace cowbench
