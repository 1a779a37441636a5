// SPDX-License-Identifier: Apache-2.0
#include "luks/header.hpp"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>
#include <cstdlib>

namespace cowbench::luks {
namespace {

const rapidjson::Value& at(const rapidjson::Document& json, const char* path) {
  const rapidjson::Value* const value = rapidjson::Pointer(path).Get(json);
  if (value != nullptr) return *value;
  throw Error(
      COWBENCH_TOOL_FAILED,
      std::string("the metadata of cryptsetup luksDump has no ") + path);
}

std::string text_at(const rapidjson::Document& json, const char* path) {
  const rapidjson::Value& value = at(json, path);
  return value.IsString() ? value.GetString() : std::string();
}

// Numbers beyond 32 bits are written as texts.
std::uint64_t number_at(const rapidjson::Document& json, const char* path) {
  const rapidjson::Value& value = at(json, path);
  if (value.IsUint64()) return value.GetUint64();
  return value.IsString() ? std::strtoull(value.GetString(), nullptr, 10) : 0;
}

}  // namespace

Header parse_header(const std::string& text) {
  rapidjson::Document json;
  json.Parse(text.c_str(), text.size());
  if (json.HasParseError() || !json.IsObject()) {
    throw Error(COWBENCH_TOOL_FAILED,
                "cryptsetup luksDump wrote no JSON: " + text.substr(0, 200));
  }
  Header header;
  header.cipher = text_at(json, "/segments/0/encryption");
  header.sector_bytes = number_at(json, "/segments/0/sector_size");
  header.data_offset_bytes = number_at(json, "/segments/0/offset");
  const rapidjson::Value& slots = at(json, "/keyslots");
  header.key_slots = slots.IsObject() ? slots.MemberCount() : 0;
  header.key_bits =
      8 * static_cast<std::uint32_t>(number_at(json, "/keyslots/0/key_size"));
  header.pbkdf = text_at(json, "/keyslots/0/kdf/type");
  header.hash = text_at(json, "/keyslots/0/kdf/hash");
  header.iterations = number_at(json, "/keyslots/0/kdf/iterations");
  return header;
}

void require_as_asked(const Header& header, const MakeOptions& options) {
  const auto require = [](const char* what, auto asked, auto found) {
    require_effective(what, std::to_string(asked), std::to_string(found));
  };
  require_effective("cipher", options.cipher, header.cipher);
  require("key_size", options.key_bits, header.key_bits);
  require("sector_size", options.sector_bytes, header.sector_bytes);
  require("key slots", std::uint32_t{1}, header.key_slots);
  require_effective("pbkdf", "pbkdf2", header.pbkdf);
  require_effective("hash", options.hash, header.hash);
  require("pbkdf_iterations", options.iterations, header.iterations);
}

void require_as_asked(const device_mapper::Target& table,
                      const MakeOptions& options) {
  require_effective("cipher", options.cipher, table.argument(0));
  const std::string sectors = table.option("sector_size");
  require_effective("sector_size", std::to_string(options.sector_bytes),
                    sectors.empty() ? "512" : sectors);
  require_effective("allow_discards", true_or_false(options.allow_discards),
                    true_or_false(table.has("allow_discards")));
  require_effective("no_read_workqueue",
                    true_or_false(options.no_read_workqueue),
                    true_or_false(table.has("no_read_workqueue")));
  require_effective("no_write_workqueue",
                    true_or_false(options.no_write_workqueue),
                    true_or_false(table.has("no_write_workqueue")));
}

}  // namespace cowbench::luks
