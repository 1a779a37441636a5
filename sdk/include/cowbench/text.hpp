// SPDX-License-Identifier: Apache-2.0
// Small things that backends do with texts: what tools print, what results say.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace cowbench {
inline namespace v0 {

// The words in one text, `glue` between them.
inline std::string joined(const std::vector<std::string>& words,
                          const char* glue = " ") {
  std::string text;
  for (const std::string& word : words) {
    if (&word != &words.front()) text += glue;
    text += word;
  }
  return text;
}

// Without the blanks, tabs and line ends at both ends.
inline std::string trimmed(const std::string& text) {
  constexpr const char* kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// A boolean as stack files and results write it.
inline std::string true_or_false(bool value) {
  return value ? "true" : "false";
}

}  // namespace v0
}  // namespace cowbench
