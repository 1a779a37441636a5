// SPDX-License-Identifier: Apache-2.0
// Whatever is in a configuration file: no crash, a problem whenever it is not
// valid JSON, places that are in the file, and nothing accepted that the
// published schema refuses.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "config/located_json.hpp"
#include "config/profile.hpp"
#include "config/stack.hpp"
#include "unit/config/schema.hpp"
#include "unit/config/vocabulary.hpp"

namespace {

using cowbench::JsonNode;
using cowbench::Problems;

void require(bool holds, const char* property, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n--- for the file:\n%.*s\n---\n",
               property, static_cast<int>(text.size()), text.data());
  std::abort();
}

void check_places(const JsonNode& node, std::string_view text) {
  require(node.offset < text.size(), "a value's offset is in the file", text);
  const auto newlines =
      std::count(text.begin(),
                 text.begin() + static_cast<std::ptrdiff_t>(node.offset), '\n');
  require(node.line == newlines + 1, "a value's line is that of its offset",
          text);
  const char first = text[node.offset];
  switch (node.kind) {
    case JsonNode::Kind::kObject:
      require(first == '{', "an object starts at its offset", text);
      break;
    case JsonNode::Kind::kArray:
      require(first == '[', "an array starts at its offset", text);
      break;
    case JsonNode::Kind::kText:
      require(first == '"', "a text starts at its offset", text);
      break;
    case JsonNode::Kind::kInteger:
    case JsonNode::Kind::kNumber:
      require(first == '-' || (first >= '0' && first <= '9'),
              "a number starts at its offset", text);
      break;
    case JsonNode::Kind::kBoolean:
    case JsonNode::Kind::kNull:
      require(first == 't' || first == 'f' || first == 'n',
              "a word starts at its offset", text);
      break;
  }
  for (const JsonNode& child : node.children) {
    if (node.kind == JsonNode::Kind::kObject) {
      require(text[child.key_offset] == '"', "a key starts at its offset",
              text);
      require(child.key_offset < child.offset, "a key is before its value",
              text);
    }
    check_places(child, text);
  }
}

void check_problems(const Problems& problems, std::string_view text) {
  require(!problems.empty(), "what is refused has a problem", text);
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const cowbench::Problem& problem : problems) {
    require(problem.line >= 1 && problem.line <= lines,
            "a problem's line is in the file", text);
    require(!problem.message.empty(), "a problem has a message", text);
    require(problem.text().find('\n') == std::string::npos,
            "a problem is one line", text);
  }
}

template <typename T>
void check_verdict(const cowbench::Checked<T>& checked, bool valid_json,
                   const cowbench_test::Schema& schema, std::string_view text) {
  if (checked.index() == 1) {
    check_problems(std::get<1>(checked), text);
    return;
  }
  require(valid_json, "what is accepted is valid JSON", text);
  require(schema.fault(text).empty(), "what is accepted obeys the schema",
          text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const cowbench::Vocabulary vocabulary = cowbench_test::vocabulary();
  static const cowbench_test::Schema stack_schema("stack");
  static const cowbench_test::Schema profile_schema("profile");
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const bool valid_json = cowbench::parse_json(text).ok();
  const cowbench::LocatedJson json = cowbench::parse_located_json(text, "f");
  require(!json.parsed || valid_json, "what is parsed is valid JSON", text);
  if (json.parsed) check_places(json.root, text);
  check_verdict(cowbench::check_stack(text, "", vocabulary), valid_json,
                stack_schema, text);
  check_verdict(cowbench::check_profile(text, "", vocabulary, {}), valid_json,
                profile_schema, text);
  return 0;
}
