// SPDX-License-Identifier: Apache-2.0
// What the checks of stacks and profiles share: collecting problems, and
// reading members of an object with a problem for each that is not right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/located_json.hpp"
#include "config/option.hpp"
#include "config/problem.hpp"

namespace cowbench {

enum class Presence { kOptional, kRequired };

// What an object may contain, for messages in this order.
using KnownKeys = std::vector<std::string>;

// Collects the problems of one file. One thread.
class Checker {
 public:
  // `problems`: those that parsing found.
  Checker(std::string file, Problems problems)
      : file_(std::move(file)), problems_(std::move(problems)) {}

  void report(const JsonNode& at, std::string message);
  // At the line of a member's key rather than of its value.
  void report_key(const JsonNode& member, std::string message);

  // False, and a problem, unless the node is of that kind.
  bool expect(const JsonNode& node, JsonNode::Kind kind);
  // One problem for each member whose key is not known.
  void refuse_unknown_keys(const JsonNode& object, const KnownKeys& known);
  // Null when absent; a problem when it is required.
  const JsonNode* member(const JsonNode& object, std::string_view key,
                         Presence presence);
  // The same, and of that kind; null also when it is not.
  const JsonNode* member(const JsonNode& object, std::string_view key,
                         Presence presence, JsonNode::Kind kind);
  // Text of one line, not blank; empty when absent or wrong.
  std::string text(const JsonNode& object, std::string_view key,
                   Presence presence);
  // A problem unless the node is such text.
  bool expect_line(const JsonNode& node);
  // The member "name" of a document: a name, and the file's own.
  std::string document_name(const JsonNode& document, const std::string& path);
  // Reads an option's value, or reports it.
  std::optional<ConfigValue> option(const OptionSpec& spec,
                                    const JsonNode& node);

  // Ordered by line.
  Problems take_problems() &&;

 private:
  std::string file_;
  Problems problems_;
};

// Lower-case letters, digits and dashes, the first no dash; at most 64.
bool is_name(std::string_view text);
constexpr std::string_view kNameRule =
    "lower-case letters, digits and dashes, at most 64 of them, the first no "
    "dash";

}  // namespace cowbench
