// SPDX-License-Identifier: Apache-2.0
#include "config/checker.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"

namespace cowbench {

namespace {

const char* kind_text(JsonNode::Kind kind) {
  switch (kind) {
    case JsonNode::Kind::kNull:
      return "null";
    case JsonNode::Kind::kBoolean:
      return "true or false";
    case JsonNode::Kind::kInteger:
      return "a whole number";
    case JsonNode::Kind::kNumber:
      return "a number";
    case JsonNode::Kind::kText:
      return "text";
    case JsonNode::Kind::kArray:
      return "an array";
    case JsonNode::Kind::kObject:
      return "an object";
  }
  return "a value";
}

}  // namespace

void Checker::report(const JsonNode& at, std::string message) {
  problems_.push_back({file_, at.line, at.pointer, std::move(message)});
}

void Checker::report_key(const JsonNode& member, std::string message) {
  problems_.push_back(
      {file_, member.key_line, member.pointer, std::move(message)});
}

bool Checker::expect(const JsonNode& node, JsonNode::Kind kind) {
  if (node.kind == kind) return true;
  if (kind == JsonNode::Kind::kNumber &&
      node.kind == JsonNode::Kind::kInteger) {
    return true;
  }
  report(node, std::string("expected ") + kind_text(kind) + ", found " +
                   describe(node));
  return false;
}

void Checker::refuse_unknown_keys(const JsonNode& object,
                                  const KnownKeys& known) {
  for (const JsonNode& member : object.children) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) {
      continue;
    }
    report_key(member, "unknown key " + in_quotes(member.key) +
                           did_you_mean(member.key, known) +
                           "; allowed: " + join(known, ", "));
  }
}

const JsonNode* Checker::member(const JsonNode& object, std::string_view key,
                                Presence presence) {
  const JsonNode* found = object.find(key);
  if (found == nullptr && presence == Presence::kRequired) {
    report(object, "the key \"" + std::string(key) + "\" is missing");
  }
  return found;
}

const JsonNode* Checker::member(const JsonNode& object, std::string_view key,
                                Presence presence, JsonNode::Kind kind) {
  const JsonNode* found = member(object, key, presence);
  return found != nullptr && expect(*found, kind) ? found : nullptr;
}

bool Checker::expect_line(const JsonNode& node) {
  if (!expect(node, JsonNode::Kind::kText)) return false;
  if (trim(node.text).empty()) {
    report(node, "expected text, found " + in_quotes(node.text));
    return false;
  }
  if (std::any_of(node.text.begin(), node.text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
      })) {
    report(node, "expected one line of text, found a control character in " +
                     in_quotes(node.text));
    return false;
  }
  return true;
}

std::string Checker::text(const JsonNode& object, std::string_view key,
                          Presence presence) {
  const JsonNode* found = member(object, key, presence);
  return found != nullptr && expect_line(*found) ? found->text : "";
}

std::string Checker::document_name(const JsonNode& document,
                                   const std::string& path) {
  const JsonNode* found =
      member(document, "name", Presence::kRequired, JsonNode::Kind::kText);
  if (found == nullptr) return "";
  if (!is_name(found->text)) {
    report(*found, in_quotes(found->text) +
                       " is not a name: " + std::string(kNameRule));
    return "";
  }
  const std::filesystem::path file(path);
  if (file.extension() == ".json" && file.stem() != found->text) {
    report(*found, "the name must be that of the file, \"" +
                       file.stem().string() + "\"; found \"" + found->text +
                       "\"");
  }
  return found->text;
}

std::optional<ConfigValue> Checker::option(const OptionSpec& spec,
                                           const JsonNode& node) {
  auto read = read_option(spec, node);
  if (read.index() == 0) return std::get<0>(std::move(read));
  report(node, std::get<1>(std::move(read)));
  return std::nullopt;
}

Problems Checker::take_problems() && {
  std::stable_sort(
      problems_.begin(), problems_.end(),
      [](const Problem& a, const Problem& b) { return a.line < b.line; });
  return std::move(problems_);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

}  // namespace cowbench
