// SPDX-License-Identifier: Apache-2.0
// What is wrong with a configuration file, all of it at once.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cowbench {

// One fault: where it is, what was found, what is allowed.
struct Problem {
  std::string file;     // or the command-line option that it came from
  int line = 0;         // from 1; 0: not tied to a line
  std::string pointer;  // RFC 6901, "/layers/0/use"; empty: the document
  std::string message;  // what was found, what is allowed, nearest name
  int column = 0;       // in characters, from 1; 0: not given (syntax only)

  // "configs/stacks/x.json:7: /layers/0/use: no layer \"flt\" (did ...)"
  std::string text() const;
};

using Problems = std::vector<Problem>;

// One line each, ended by a newline.
std::string problems_text(const Problems& problems);

// Found text as messages show it: in double quotes, control characters
// escaped, cut after 60 bytes.
std::string in_quotes(std::string_view text);

// A checked T, or every problem found.
template <typename T>
using Checked = std::variant<T, Problems>;

}  // namespace cowbench
