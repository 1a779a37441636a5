// SPDX-License-Identifier: Apache-2.0
#include "lvm/report.hpp"

#include <rapidjson/document.h>

#include <charconv>
#include <cowbench/error.hpp>
#include <sstream>

namespace cowbench::lvm {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(COWBENCH_TOOL_FAILED, "LVM's report: " + what);
}

// Warnings go to standard error, but some versions of LVM write them in front
// of the document; it begins with a line that opens an object.
std::string document_in(const std::string& text) {
  std::istringstream lines(text);
  std::size_t begin = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] == '{') {
      return text.substr(begin);
    }
    begin += line.size() + 1;
  }
  refuse("no JSON in \"" + text.substr(0, 200) + "\"");
}

std::string text_of(const rapidjson::Value& value) {
  if (value.IsString()) return {value.GetString(), value.GetStringLength()};
  refuse("a field is not a text");
}

Row read_row(const rapidjson::Value& object) {
  if (!object.IsObject()) refuse("a row is not an object");
  std::map<std::string, std::string> fields;
  for (const auto& field : object.GetObject()) {
    fields[field.name.GetString()] = text_of(field.value);
  }
  return Row(std::move(fields));
}

std::string without_brackets(const std::string& name) {
  const bool hidden =
      name.size() > 1 && name.front() == '[' && name.back() == ']';
  return hidden ? name.substr(1, name.size() - 2) : name;
}

}  // namespace

const std::string& Row::text(const std::string& field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end()) refuse("no field " + field);
  return found->second;
}

std::uint64_t Row::number(const std::string& field) const {
  const std::string& digits = text(field);
  if (digits.empty()) return 0;
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    refuse(field + " is not a number: " + digits);
  }
  return value;
}

std::vector<Row> parse_report(const std::string& json,
                              const std::string& kind) {
  rapidjson::Document document;
  const std::string text = document_in(json);
  document.Parse(text.data(), text.size());
  if (document.HasParseError() || !document.IsObject()) {
    refuse("not JSON: \"" + text.substr(0, 200) + "\"");
  }
  const auto reports = document.FindMember("report");
  if (reports == document.MemberEnd() || !reports->value.IsArray()) {
    refuse("no report in it");
  }
  std::vector<Row> rows;
  bool found = false;
  for (const auto& report : reports->value.GetArray()) {
    const auto lines = report.FindMember(kind.c_str());
    if (lines == report.MemberEnd() || !lines->value.IsArray()) continue;
    found = true;
    for (const auto& line : lines->value.GetArray()) {
      rows.push_back(read_row(line));
    }
  }
  if (!found) refuse("no report of kind \"" + kind + "\"");
  return rows;
}

const Row& row_of(const std::vector<Row>& rows, const std::string& field,
                  const std::string& value) {
  for (const Row& row : rows) {
    if (without_brackets(row.text(field)) == value) return row;
  }
  throw Error(COWBENCH_TOOL_FAILED,
              "LVM reports nothing with " + field + " " + value);
}

std::string parse_version(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, word, release;
    words >> name >> word >> release;
    if (name == "LVM" && word == "version:") return release;
  }
  return {};
}

}  // namespace cowbench::lvm
