// SPDX-License-Identifier: Apache-2.0
#include "mdraid/command.hpp"

#include <cstdint>
#include <sstream>

#include "mdraid/level.hpp"

namespace cowbench::mdraid {
namespace {

// 32 bits of FNV-1a.
std::uint32_t hash(const std::string& text) {
  std::uint32_t value = 0x811c9dc5U;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x01000193U;
  }
  return value;
}

std::string digits(std::uint32_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) {
    text += kDigits[(value >> shift) & 15U];
  }
  return text;
}

}  // namespace

Names names_of(const std::string& object_name) {
  // A superblock holds 32 characters, and "any:" goes before; the kernel's
  // name has room for 31, and "md_" goes before. What goes is part of the
  // host's hash, so that layers of one job keep names of their own.
  constexpr std::size_t kLongest = 28;
  constexpr std::size_t kWithinHash = 5;
  Names names;
  names.array = object_name;
  if (names.array.size() > kLongest) {
    names.array.erase(kWithinHash, names.array.size() - kLongest);
  }
  names.kernel = "md_" + names.array;
  names.device = "/dev/" + names.kernel;
  names.alias = "/dev/md/" + names.array;
  for (const char part : {'a', 'b', 'c', 'd'}) {
    names.uuid += (names.uuid.empty() ? "" : ":") +
                  digits(hash(object_name + "/" + part));
  }
  return names;
}

std::string uuid_of_kernel(const std::string& uuid) {
  std::string text;
  for (const char c : uuid) {
    if (c == ':') continue;
    if (text.size() == 8 || text.size() == 13 || text.size() == 18 ||
        text.size() == 23) {
      text += '-';
    }
    text += c;
  }
  return text;
}

MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.level = host.text("level");
  const Level* const level = find_level(options.level);
  const bool redundant = level != nullptr && level->redundant;
  const auto given_or = [&host](const char* key, const std::string& otherwise) {
    return host.has(key) ? host.text(key) : otherwise;
  };
  options.chunk_bytes = options.level == "raid1" ? 0 : host.amount("chunk");
  const bool laid_out = level != nullptr && level->default_layout != nullptr;
  options.layout = given_or("layout", laid_out ? level->default_layout : "");
  options.metadata = host.text("metadata");
  // A partial parity log takes the place of a bitmap.
  const bool logged = host.text("consistency_policy") == "ppl";
  options.bitmap =
      given_or("bitmap", redundant && !logged ? "internal" : "none");
  options.bitmap_chunk_bytes = host.amount("bitmap_chunk");
  options.consistency_policy =
      given_or("consistency_policy", !redundant                     ? "none"
                                     : options.bitmap == "internal" ? "bitmap"
                                                                    : "resync");
  options.initial_sync = host.text("initial_sync");
  options.create_arguments = host.text_list("create_arguments");
  return options;
}

std::vector<std::string> create_command(
    const MakeOptions& options, const Names& names, const std::string& config,
    bool clean, const std::vector<std::string>& devices) {
  // --homehost=any: whoever assembles it, on whatever host, takes it by its
  // name. --run: nothing is asked.
  std::vector<std::string> argv = {"mdadm", "--create", names.alias,
                                   "--config=" + config, "--homehost=any"};
  const auto add = [&argv](const char* key, const std::string& value) {
    argv.push_back(std::string("--") + key + "=" + value);
  };
  add("name", names.array);
  add("uuid", names.uuid);
  add("metadata", options.metadata);
  add("level", options.level);
  if (!options.layout.empty()) add("layout", options.layout);
  if (options.chunk_bytes != 0) {
    add("chunk", std::to_string(options.chunk_bytes / 1024) + "K");
  }
  if (options.consistency_policy != "none") {
    add("bitmap", options.bitmap);
    if (options.bitmap == "internal") {
      add("bitmap-chunk",
          std::to_string(options.bitmap_chunk_bytes / 1024) + "K");
    }
    add("consistency-policy", options.consistency_policy);
  }
  add("raid-devices", std::to_string(devices.size()));
  if (options.initial_sync == "write-zeroes") {
    argv.emplace_back("--write-zeroes");
  } else if (clean) {
    argv.emplace_back("--assume-clean");
  }
  argv.emplace_back("--run");
  argv.insert(argv.end(), options.create_arguments.begin(),
              options.create_arguments.end());
  argv.insert(argv.end(), devices.begin(), devices.end());
  return argv;
}

std::vector<std::string> assemble_command(
    const Names& names, const std::string& config,
    const std::vector<std::string>& devices) {
  // A list of devices keeps mdadm from starting the array on a part of them,
  // while somebody else still has the others.
  std::vector<std::string> argv = {"mdadm",          "--assemble",
                                   names.alias,      "--config=" + config,
                                   "--homehost=any", "--uuid=" + names.uuid};
  argv.insert(argv.end(), devices.begin(), devices.end());
  return argv;
}

std::vector<std::string> stop_command(const std::string& device) {
  return {"mdadm", "--stop", "--config=none", device};
}

std::vector<std::string> zero_command(const std::string& device) {
  return {"mdadm", "--zero-superblock", "--config=none", device};
}

std::string parse_version(const std::string& text) {
  // "mdadm - v4.4 - 2024-11-07 - Debian 4.4-11"
  std::istringstream words(text);
  std::string program, dash, release;
  words >> program >> dash >> release;
  const bool known = program == "mdadm" && dash == "-" && release.size() > 1 &&
                     release.front() == 'v';
  return known ? release.substr(1) : std::string();
}

}  // namespace cowbench::mdraid
