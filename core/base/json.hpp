// SPDX-License-Identifier: Apache-2.0
// The core's one way to write JSON, and small accessors for reading it.
// RapidJSON does the work; nothing else in the core includes its writer.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

using JsonValue = rapidjson::Value;
using JsonDocument = rapidjson::Document;

// Streams one JSON value. Doubles are written with up to 17 digits, so that a
// number read back is the number written; NaN and infinity become null.
class JsonWriter {
 public:
  JsonWriter& begin_object() {
    writer_->StartObject();
    return *this;
  }
  JsonWriter& end_object() {
    writer_->EndObject();
    return *this;
  }
  JsonWriter& begin_array() {
    writer_->StartArray();
    return *this;
  }
  JsonWriter& end_array() {
    writer_->EndArray();
    return *this;
  }
  JsonWriter& key(std::string_view name) {
    writer_->Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
    return *this;
  }

  // Bytes that are no UTF-8 (tools and kernels print such) become U+FFFD, so
  // that what is written can always be read.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) {
    return value(std::string_view(text));
  }
  JsonWriter& value(bool truth) {
    writer_->Bool(truth);
    return *this;
  }
  JsonWriter& value(double number) {
    if (std::isfinite(number)) {
      writer_->Double(number);
    } else {
      writer_->Null();
    }
    return *this;
  }
  JsonWriter& value(const std::optional<double>& number) {
    return number ? value(*number) : null();
  }
  template <std::integral T>
  JsonWriter& value(T number) {
    if constexpr (std::is_signed_v<T>) {
      writer_->Int64(number);
    } else {
      writer_->Uint64(number);
    }
    return *this;
  }
  JsonWriter& value(const JsonValue& json) {
    json.Accept(*writer_);
    return *this;
  }
  JsonWriter& null() {
    writer_->Null();
    return *this;
  }
  // `json` must be one complete, valid JSON value.
  JsonWriter& raw(std::string_view json) {
    writer_->RawValue(json.data(), json.size(), rapidjson::kObjectType);
    return *this;
  }

  // key + value in one call.
  template <typename T>
  JsonWriter& field(std::string_view name, const T& item) {
    key(name);
    return value(item);
  }

  std::string text() const {
    return std::string(buffer_->GetString(), buffer_->GetSize());
  }

 private:
  // On the heap, so that a half-written value can be handed on.
  using Buffer = rapidjson::StringBuffer;
  std::unique_ptr<Buffer> buffer_ = std::make_unique<Buffer>();
  std::unique_ptr<rapidjson::Writer<Buffer>> writer_ =
      std::make_unique<rapidjson::Writer<Buffer>>(*buffer_);
};

// `text` with every byte that is not part of valid UTF-8 replaced.
std::string valid_utf8(std::string_view text);

// Parses `text` strictly. The error names the line and column.
Result<JsonDocument> parse_json(std::string_view text);

// Pretty text with two blanks of indent, for files a person may open.
std::string pretty_json(const JsonValue& json);

// Accessors answer the fallback when the member is absent or of another type.
std::string string_at(const JsonValue& object, const char* key,
                      std::string_view fallback = {});
double double_at(const JsonValue& object, const char* key,
                 double fallback = 0.0);
std::int64_t int_at(const JsonValue& object, const char* key,
                    std::int64_t fallback = 0);
std::uint64_t uint_at(const JsonValue& object, const char* key,
                      std::uint64_t fallback = 0);
bool bool_at(const JsonValue& object, const char* key, bool fallback = false);
// Null when the member is absent.
const JsonValue* member_at(const JsonValue& object, const char* key);

}  // namespace cowbench
