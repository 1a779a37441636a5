// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/words.hpp"

#include <charconv>
#include <cmath>
#include <cowbench/text.hpp>
#include <cstdlib>
#include <sstream>

namespace cowbench::bcachefs {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string selected(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close =
      text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) {
    return trimmed(text);
  }
  return text.substr(open + 1, close - open - 1);
}

std::optional<std::uint64_t> number_of(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> bytes_of(const std::string& text) {
  const std::string plain = trimmed(text);
  char* unit = nullptr;
  const double number = std::strtod(plain.c_str(), &unit);
  if (unit == plain.c_str() || number < 0) return std::nullopt;
  const std::string name = trimmed(unit);
  if (name.empty() || name == "B") return std::llround(number);
  static const std::string kPrefixes = "KMGTP";
  const std::size_t power = kPrefixes.find(name.front());
  if (power == std::string::npos || name.substr(1) != "iB") return std::nullopt;
  return std::llround(std::ldexp(number, static_cast<int>(10 * (power + 1))));
}

}  // namespace cowbench::bcachefs
