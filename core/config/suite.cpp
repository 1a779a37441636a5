// SPDX-License-Identifier: Apache-2.0
#include "config/suite.hpp"

#include <set>

#include "base/text.hpp"
#include "config/checker.hpp"

namespace cowbench {

namespace {

using Kind = JsonNode::Kind;

const KnownKeys kSuiteKeys = {"$schema", "name", "summary", "stacks"};

std::vector<std::string> stacks_of(const JsonNode& root, Checker& checker) {
  std::vector<std::string> stacks;
  const JsonNode* list =
      checker.member(root, "stacks", Presence::kRequired, Kind::kArray);
  if (list == nullptr) return stacks;
  if (list->children.empty()) {
    checker.report(*list, "expected at least one stack");
  }
  std::set<std::string> seen;
  for (const JsonNode& node : list->children) {
    if (!checker.expect_line(node)) continue;
    if (!seen.insert(node.text).second) {
      checker.report(node, "stack " + in_quotes(node.text) + " stands twice");
      continue;
    }
    stacks.push_back(node.text);
  }
  return stacks;
}

}  // namespace

Checked<Suite> check_suite(std::string_view text, const std::string& path) {
  LocatedJson json = parse_located_json(text, path);
  if (!json.parsed) return std::move(json.problems);
  Checker checker(path, std::move(json.problems));
  Suite suite;
  if (checker.expect(json.root, Kind::kObject)) {
    checker.refuse_unknown_keys(json.root, kSuiteKeys);
    checker.text(json.root, "$schema", Presence::kOptional);
    suite.name = checker.document_name(json.root, path);
    suite.summary = checker.text(json.root, "summary", Presence::kRequired);
    suite.stacks = stacks_of(json.root, checker);
  }
  Problems problems = std::move(checker).take_problems();
  if (!problems.empty()) return problems;
  return suite;
}

}  // namespace cowbench
