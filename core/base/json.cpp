// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/prettywriter.h>

#include <algorithm>

namespace cowbench {

namespace {

// Where a byte offset lies, for people: both count from one.
std::string line_and_column(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto last = before.rfind('\n');
  const std::size_t column =
      last == std::string_view::npos ? offset + 1 : offset - last;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// Length of the valid UTF-8 sequence that starts `text`, 0 for none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 && first <= 0xF4 ? 4
                             : first >= 0xE0                ? 3
                             : first >= 0xC2                ? 2
                                                            : 0;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond the last code point.
  const bool bad =
      (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
  return bad ? 0 : length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) {
      valid += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      valid += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return valid;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  const std::string valid = valid_utf8(text);
  writer_->String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
  return *this;
}

Result<JsonDocument> parse_json(std::string_view text) {
  if (const std::size_t zero = text.find('\0');
      zero != std::string_view::npos) {
    // RapidJSON would take it for the end.
    return Error(
        Category::kUsage,
        "not valid JSON at " + line_and_column(text, zero) + ": a zero byte");
  }
  JsonDocument document;
  document.Parse<rapidjson::kParseFullPrecisionFlag |
                 rapidjson::kParseValidateEncodingFlag |
                 rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError()) {
    return Error(Category::kUsage,
                 "not valid JSON at " +
                     line_and_column(text, document.GetErrorOffset()) + ": " +
                     rapidjson::GetParseError_En(document.GetParseError()));
  }
  return document;
}

std::string pretty_json(const JsonValue& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  json.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

const JsonValue* member_at(const JsonValue& object, const char* key) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(key);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

std::string string_at(const JsonValue& object, const char* key,
                      std::string_view fallback) {
  const JsonValue* item = member_at(object, key);
  if (item == nullptr || !item->IsString()) return std::string(fallback);
  return std::string(item->GetString(), item->GetStringLength());
}

double double_at(const JsonValue& object, const char* key, double fallback) {
  const JsonValue* item = member_at(object, key);
  return item != nullptr && item->IsNumber() ? item->GetDouble() : fallback;
}

std::int64_t int_at(const JsonValue& object, const char* key,
                    std::int64_t fallback) {
  const JsonValue* item = member_at(object, key);
  return item != nullptr && item->IsInt64() ? item->GetInt64() : fallback;
}

std::uint64_t uint_at(const JsonValue& object, const char* key,
                      std::uint64_t fallback) {
  const JsonValue* item = member_at(object, key);
  return item != nullptr && item->IsUint64() ? item->GetUint64() : fallback;
}

bool bool_at(const JsonValue& object, const char* key, bool fallback) {
  const JsonValue* item = member_at(object, key);
  return item != nullptr && item->IsBool() ? item->GetBool() : fallback;
}

}  // namespace cowbench
