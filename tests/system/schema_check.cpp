// SPDX-License-Identifier: Apache-2.0
// schema-check SCHEMA FILE...: whether each JSON file is what the JSON Schema
// describes. Exit code 0, or 1 with the place and the keyword for each that is
// not.
#include <rapidjson/schema.h>

#include <cstdio>

#include "base/json.hpp"
#include "system/file.hpp"

using namespace cowbench;

namespace {

Result<JsonDocument> load(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return json.error().within(path);
  return json;
}

// What the schema has against the file; empty: nothing.
std::string fault(const rapidjson::SchemaDocument& schema,
                  const std::string& path) {
  const auto json = load(path);
  if (!json) return json.error().message();
  rapidjson::SchemaValidator validator(schema);
  if (json->Accept(validator)) return {};
  rapidjson::StringBuffer place;
  validator.GetInvalidDocumentPointer().StringifyUriFragment(place);
  return path + ": " + place.GetString() + " breaks " +
         validator.GetInvalidSchemaKeyword();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: schema-check SCHEMA FILE...\n", stderr);
    return 2;
  }
  const auto json = load(argv[1]);
  if (!json) {
    std::fprintf(stderr, "%s\n", json.error().message().c_str());
    return 2;
  }
  const rapidjson::SchemaDocument schema(*json);
  int code = 0;
  for (int i = 2; i < argc; ++i) {
    const std::string text = fault(schema, argv[i]);
    if (text.empty()) continue;
    std::fprintf(stderr, "%s\n", text.c_str());
    code = 1;
  }
  return code;
}
