// SPDX-License-Identifier: Apache-2.0
// What is wrong with a configuration file, all of it at once.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cowbench {

// One fault: where it is, what was found, what is allowed.
struct Problem {
  std::string file;
  int line = 0;         // from 1; 0: not tied to a line
  std::string pointer;  // RFC 6901, "/layers/0/use"; empty: the document
  std::string message;  // what was found, what is allowed, nearest name

  // "configs/stacks/x.json:7: /layers/0/use: no layer \"btrf\" (did ...)"
  std::string text() const;
};

using Problems = std::vector<Problem>;

// A checked T, or every problem found.
template <typename T>
using Checked = std::variant<T, Problems>;

}  // namespace cowbench
