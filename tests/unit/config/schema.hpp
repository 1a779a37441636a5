// SPDX-License-Identifier: Apache-2.0
// The published JSON Schemas, as a validator.
#pragma once

#include <rapidjson/schema.h>

#include <string>

#include "base/json.hpp"
#include "vocabulary.hpp"

namespace cowbench_test {

class Schema {
 public:
  // `name`: "stack", "profile", "result".
  explicit Schema(const std::string& name)
      : json_(parse(read_file(COWBENCH_SOURCE_DIR "/configs/schema/" + name +
                              ".schema.json"))),
        schema_(json_) {}

  // What the schema has against a document; empty when it accepts it.
  std::string fault(std::string_view text) const {
    const auto document = cowbench::parse_json(text);
    if (!document) return document.error().message();
    rapidjson::SchemaValidator validator(schema_);
    if (document->Accept(validator)) return "";
    rapidjson::StringBuffer place;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(place);
    return std::string(place.GetString()) + ": " +
           validator.GetInvalidSchemaKeyword();
  }

 private:
  static cowbench::JsonDocument parse(const std::string& text) {
    auto document = cowbench::parse_json(text);
    if (!document) throw std::runtime_error(document.error().message());
    return std::move(document).value();
  }

  cowbench::JsonDocument json_;
  rapidjson::SchemaDocument schema_;
};

}  // namespace cowbench_test
