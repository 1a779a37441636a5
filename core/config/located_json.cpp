// SPDX-License-Identifier: Apache-2.0
#include "config/located_json.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace cowbench {

namespace {

constexpr std::size_t kMaximumDepth = 64;

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

// Builds the tree from the parser's events. An event comes after its token was
// read, so the token's start is found by skipping what may stand between the
// end of the token before and it.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& path,
              const rapidjson::MemoryStream& stream, LocatedJson& result)
      : text_(text), path_(path), stream_(stream), result_(result) {}

  bool Null() { return scalar(JsonNode::Kind::kNull) != nullptr; }
  bool Bool(bool truth) {
    scalar(JsonNode::Kind::kBoolean)->truth = truth;
    return true;
  }
  bool Int(int number) { return Int64(number); }
  bool Uint(unsigned number) { return Int64(number); }
  bool Int64(std::int64_t number) {
    JsonNode* node = numeric(JsonNode::Kind::kInteger);
    node->integer = number;
    node->number = static_cast<double>(number);
    return true;
  }
  bool Uint64(std::uint64_t number) {
    return number <= std::uint64_t{INT64_MAX}
               ? Int64(static_cast<std::int64_t>(number))
               : Double(static_cast<double>(number));
  }
  bool Double(double number) {
    numeric(JsonNode::Kind::kNumber)->number = number;
    return true;
  }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    scalar(JsonNode::Kind::kText)->text.assign(text, size);
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    key_.assign(text, size);
    key_offset_ = next_token();
    key_line_ = line_at(key_offset_);
    end_ = stream_.Tell();
    return true;
  }
  bool StartObject() { return begin(JsonNode::Kind::kObject); }
  bool StartArray() { return begin(JsonNode::Kind::kArray); }
  bool EndObject(rapidjson::SizeType) {
    report_duplicates(*open_.back());
    open_.pop_back();
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    open_.pop_back();
    return true;
  }

 private:
  std::size_t next_token() const {
    return std::min(text_.find_first_not_of(" \t\r\n,:]}", end_), text_.size());
  }

  // Offsets only grow, so each byte is looked at once.
  int line_at(std::size_t offset) {
    line_ += static_cast<int>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                   text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    counted_ = offset;
    return line_;
  }

  JsonNode* add(JsonNode::Kind kind) {
    JsonNode* node = &result_.root;
    if (!open_.empty()) {
      JsonNode& parent = *open_.back();
      node = &parent.children.emplace_back();
      node->pointer = parent.pointer + "/";
      if (parent.kind == JsonNode::Kind::kObject) {
        node->pointer += pointer_token(key_);
        node->key = key_;
        node->key_offset = key_offset_;
        node->key_line = key_line_;
      } else {
        node->pointer += std::to_string(parent.children.size() - 1);
      }
    }
    node->kind = kind;
    node->offset = next_token();
    node->line = line_at(node->offset);
    return node;
  }

  JsonNode* scalar(JsonNode::Kind kind) {
    JsonNode* node = add(kind);
    end_ = stream_.Tell();
    return node;
  }

  JsonNode* numeric(JsonNode::Kind kind) {
    JsonNode* node = scalar(kind);
    node->text = text_.substr(node->offset, end_ - node->offset);
    return node;
  }

  // Whether the bracket counts as read differs between parsers, its start does
  // not.
  bool begin(JsonNode::Kind kind) {
    if (open_.size() >= kMaximumDepth) return false;
    JsonNode* node = add(kind);
    end_ = node->offset + 1;
    open_.push_back(node);
    return true;
  }

  void report_duplicates(const JsonNode& object) {
    std::map<std::string_view, int> seen;
    for (const JsonNode& member : object.children) {
      const auto [first, is_new] = seen.emplace(member.key, member.key_line);
      if (is_new) continue;
      result_.problems.push_back(
          {path_, member.key_line, member.pointer,
           "the key is given twice in this object; line " +
               std::to_string(first->second) + " has it first"});
    }
  }

  std::string_view text_;
  const std::string& path_;
  const rapidjson::MemoryStream& stream_;
  LocatedJson& result_;
  // Innermost last. Stable: a node gets no further children while one of them
  // is open.
  std::vector<JsonNode*> open_;
  std::string key_;
  std::size_t key_offset_ = 0;
  int key_line_ = 0;
  std::size_t end_ = 0;      // of the token before
  std::size_t counted_ = 0;  // bytes whose newlines are in line_
  int line_ = 1;
};

std::string expectation(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return "expected the end of the file";
    case rapidjson::kParseErrorObjectMissName:
      return "expected a key in double quotes";
    case rapidjson::kParseErrorObjectMissColon:
      return "expected \":\" after the key";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "expected \",\" or \"}\"";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "expected \",\" or \"]\"";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "expected four hexadecimal digits after \\u";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "expected a complete surrogate pair \\uD8xx\\uDCxx";
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "expected text without bare control characters, and after a "
             "backslash one of \" \\ / b f n r t u";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "expected a closing double quote";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "expected UTF-8";
    case rapidjson::kParseErrorNumberTooBig:
      return "expected a number below 1.8e308";
    case rapidjson::kParseErrorNumberMissFraction:
      return "expected a digit after the decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "expected a digit in the exponent";
    case rapidjson::kParseErrorTermination:
      return "expected at most " + std::to_string(kMaximumDepth) +
             " levels of nesting";
    default:
      return "expected a value (\"{\", \"[\", text in double quotes, a number, "
             "true, false or null)";
  }
}

std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the file";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte == '\n') return "the end of the line";
  if (byte == ' ') return "a blank";
  if (byte == '"') return "a double quote";
  if (byte > 0x20 && byte < 0x7f)
    return "\"" + std::string(1, text[offset]) + "\"";
  std::array<char, 16> name{};
  std::snprintf(name.data(), name.size(), "byte 0x%02x", byte);
  return name.data();
}

// The mistakes that editors and other languages teach.
std::string hint_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "";
  const std::string_view rest = text.substr(offset);
  if (rest[0] == '\'') return "; JSON quotes with \"";
  if (rest[0] == '#' || rest[0] == '/') return "; JSON has no comments";
  if (rest.substr(0, 3) == "\xef\xbb\xbf") {
    return "; remove the byte order mark";
  }
  const std::size_t before = text.substr(0, offset).find_last_not_of(" \t\r\n");
  if ((rest[0] == '}' || rest[0] == ']') && before != std::string_view::npos &&
      text[before] == ',') {
    return "; no comma may follow the last entry";
  }
  return "";
}

Problem syntax_problem(std::string_view text, const std::string& path,
                       rapidjson::ParseErrorCode code, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto characters = std::count_if(
      before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  Problem problem;
  problem.file = path;
  problem.line =
      static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  problem.column = static_cast<int>(characters) + 1;
  problem.message = "not valid JSON: " + expectation(code) + ", found " +
                    found_at(text, offset) + hint_at(text, offset);
  return problem;
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const {
  if (kind != Kind::kObject) return nullptr;
  for (const JsonNode& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::kNull:
      return "null";
    case JsonNode::Kind::kBoolean:
      return node.truth ? "true" : "false";
    case JsonNode::Kind::kInteger:
    case JsonNode::Kind::kNumber:
      return "the number " + node.text;
    case JsonNode::Kind::kText:
      return "text " + in_quotes(node.text);
    case JsonNode::Kind::kArray:
      return "an array";
    case JsonNode::Kind::kObject:
      return "an object";
  }
  return "something";
}

LocatedJson parse_located_json(std::string_view text, const std::string& path) {
  LocatedJson result;
  rapidjson::MemoryStream stream(text.data(), text.size());
  TreeBuilder builder(text, path, stream, result);
  rapidjson::Reader reader;
  const rapidjson::ParseResult outcome =
      reader.Parse<rapidjson::kParseFullPrecisionFlag |
                   rapidjson::kParseValidateEncodingFlag |
                   rapidjson::kParseIterativeFlag>(stream, builder);
  rapidjson::ParseErrorCode code = outcome.Code();
  std::size_t offset = outcome.Offset();
  // The parser takes a zero byte for the end of its input.
  if (code == rapidjson::kParseErrorNone && stream.Tell() < text.size()) {
    code = rapidjson::kParseErrorDocumentRootNotSingular;
    offset = stream.Tell();
  }
  if (code != rapidjson::kParseErrorNone) {
    result.root = JsonNode();
    result.problems = {syntax_problem(text, path, code, offset)};
    return result;
  }
  result.parsed = true;
  return result;
}

}  // namespace cowbench
