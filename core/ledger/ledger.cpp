// SPDX-License-Identifier: Apache-2.0
#include "ledger/ledger.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "system/clock.hpp"
#include "system/fault_point.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

constexpr int kLedgerVersion = 1;

std::string header_line(const LedgerHeader& header) {
  return JsonWriter()
      .begin_object()
      .field("ledger", kLedgerVersion)
      .field("job_id", header.job_id)
      .field("boot_id", header.boot_id)
      .field("started_at", header.started_at)
      .field("results", header.results)
      .end_object()
      .text();
}

void write_words(JsonWriter& json, const char* key,
                 const std::vector<std::string>& words) {
  if (words.empty()) return;
  json.key(key).begin_array();
  for (const std::string& word : words) json.value(word);
  json.end_array();
}

std::string entry_line(const LedgerEntry& entry) {
  JsonWriter json;
  json.begin_object()
      .field("id", entry.id)
      .field("kind", entry.kind)
      .field("identity", entry.identity);
  json.key("parameters").begin_object();
  for (const auto& [key, value] : entry.parameters) json.field(key, value);
  json.end_object();
  write_words(json, "exists", entry.exists);
  write_words(json, "undo", entry.undo);
  return json.end_object().text();
}

std::vector<std::string> words_at(const JsonValue& object, const char* key) {
  std::vector<std::string> words;
  const JsonValue* array = member_at(object, key);
  if (array == nullptr || !array->IsArray()) return words;
  for (const JsonValue& word : array->GetArray()) {
    if (word.IsString()) words.emplace_back(word.GetString());
  }
  return words;
}

LedgerEntry entry_of(const JsonValue& line) {
  LedgerEntry entry;
  entry.id = uint_at(line, "id");
  entry.kind = string_at(line, "kind");
  entry.identity = string_at(line, "identity");
  if (const JsonValue* parameters = member_at(line, "parameters");
      parameters != nullptr && parameters->IsObject()) {
    for (const auto& item : parameters->GetObject()) {
      if (!item.value.IsString()) continue;
      entry.parameters.emplace_back(item.name.GetString(),
                                    item.value.GetString());
    }
  }
  entry.exists = words_at(line, "exists");
  entry.undo = words_at(line, "undo");
  return entry;
}

}  // namespace

std::string LedgerEntry::parameter(const std::string& key) const {
  for (const auto& [name, value] : parameters) {
    if (name == key) return value;
  }
  return {};
}

std::string LedgerEntry::text() const {
  if (kind == "loop") return "loop device over " + identity;
  if (kind == "wipe") return "signatures on " + identity;
  if (kind == "slice") return "slice of " + identity;
  if (kind == "processes") return "processes of the job";
  if (kind == "object") return parameter("kind") + " " + identity;
  return kind + " " + identity;
}

Result<Ledger> Ledger::create(const std::string& path,
                              const LedgerHeader& header) {
  if (auto text = read_file(path); text && !text->empty()) {
    return Error(Category::kInternal, "ledger " + path + " is in use already");
  }
  auto file = AppendFile::open(path);
  if (!file) return file.error();
  if (Status status = file->write_line_durable(header_line(header)); !status) {
    return status.error();
  }
  return Ledger(std::move(file).value());
}

Result<Ledger> Ledger::open(const std::string& path) {
  auto file = AppendFile::open(path);
  if (!file) return file.error();
  return Ledger(std::move(file).value());
}

Result<std::uint64_t> Ledger::add(LedgerEntry entry) {
  // The clock gives ids that no other process of the job has given: its
  // processes take turns, each waiting for the one it started.
  static std::uint64_t last = 0;
  last = std::max(last + 1, now_ns());
  entry.id = last;
  fault_point("ledger.before-append");
  if (Status status = file_.write_line_durable(entry_line(entry)); !status) {
    return status.error().within("enter " + entry.text() + " in the ledger");
  }
  fault_point("ledger.appended");
  return entry.id;
}

Status Ledger::strike(std::uint64_t id) {
  fault_point("ledger.before-strike");
  Status status = file_.write_line_durable(
      JsonWriter().begin_object().field("strike", id).end_object().text());
  fault_point("ledger.struck");
  return status;
}

Status Ledger::amend(std::uint64_t id, const std::string& key,
                     const std::string& value) {
  return file_.write_line_durable(JsonWriter()
                                      .begin_object()
                                      .field("amend", id)
                                      .field("key", key)
                                      .field("value", value)
                                      .end_object()
                                      .text());
}

Result<LedgerContents> read_ledger(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  LedgerContents contents;
  std::vector<std::string> lines = split(*text, '\n');
  // What follows the last newline is torn, or empty.
  lines.pop_back();
  int number = 0;
  for (const std::string& line : lines) {
    ++number;
    auto json = parse_json(line);
    if (!json || !json->IsObject()) {
      // AppendFile ends a torn line before it writes the next one, so such a
      // line can stand in the middle; its writer died before acting on it.
      if (number > 1) continue;
      return Error(Category::kInternal,
                   path + ": the first line is no ledger header");
    }
    if (number == 1) {
      if (int_at(*json, "ledger") != kLedgerVersion) {
        return Error(Category::kInternal,
                     path +
                         ": written by another version of cowbench; clean "
                         "up with that version");
      }
      contents.header = {
          string_at(*json, "job_id"), string_at(*json, "boot_id"),
          string_at(*json, "started_at"), string_at(*json, "results")};
    } else if (const std::uint64_t struck = uint_at(*json, "strike");
               struck != 0) {
      std::erase_if(contents.open, [&](const LedgerEntry& entry) {
        return entry.id == struck;
      });
    } else if (const std::uint64_t amended = uint_at(*json, "amend");
               amended != 0) {
      for (LedgerEntry& entry : contents.open) {
        if (entry.id != amended) continue;
        entry.parameters.emplace_back(string_at(*json, "key"),
                                      string_at(*json, "value"));
      }
    } else {
      contents.open.push_back(entry_of(*json));
    }
  }
  return contents;
}

}  // namespace cowbench
