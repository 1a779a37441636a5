// SPDX-License-Identifier: Apache-2.0
// JSON that remembers where each value stands, for messages about files that
// people write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/problem.hpp"

namespace cowbench {

// A value with its place. Plain data; owns its children.
struct JsonNode {
  enum class Kind {
    kNull,
    kBoolean,
    kInteger,  // a literal without fraction or exponent that fits int64_t
    kNumber,
    kText,
    kArray,
    kObject,
  };

  Kind kind = Kind::kNull;
  bool truth = false;              // kBoolean
  std::int64_t integer = 0;        // kInteger
  double number = 0;               // kInteger and kNumber
  std::string text;                // kText; of numbers: the literal as written
  std::vector<JsonNode> children;  // elements, or members in file order

  std::size_t offset = 0;  // of its first byte
  int line = 0;            // from 1
  std::string pointer;     // RFC 6901; of a member's key as well
  // Members of an object only.
  std::string key;
  std::size_t key_offset = 0;
  int key_line = 0;

  // The first member of that name; null when absent or not an object.
  const JsonNode* find(std::string_view name) const;
};

// What was found, for messages: "text \"abc\"", "the number 5", "an array".
std::string describe(const JsonNode& node);

struct LocatedJson {
  bool parsed = false;  // false: `root` is null, `problems` says why
  JsonNode root;
  // A syntax error (then the only one), or each key that an object gives
  // twice.
  Problems problems;
};

// Parses strict JSON in UTF-8, at most 64 levels deep; `path` only names it in
// messages. Pure.
LocatedJson parse_located_json(std::string_view text, const std::string& path);

}  // namespace cowbench
