// SPDX-License-Identifier: Apache-2.0
#include "lvm/cache_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cowbench/mounted.hpp>
#include <sstream>

namespace cowbench::lvm {
namespace {

constexpr const char* kNone = "none";

// The words of writecache's table that take no value.
bool stands_alone(const std::string& word) {
  return word == "cleaner" || word == "fua" || word == "nofua" ||
         word == "metadata_only";
}

// Device type, origin, cache, block size, number of words, words.
NamedSettings writecache_settings(const Target& table) {
  NamedSettings settings = {{"block_size", table.argument(3)}};
  for (std::size_t i = 5; i < table.arguments.size(); ++i) {
    const std::string& name = table.arguments[i];
    settings[name] = stands_alone(name) ? "1" : table.argument(++i);
  }
  return settings;
}

// LVM raises a threshold below eight chunks, in sectors, to that.
std::string raised_threshold(const Settings& settings,
                             const std::string& asked) {
  std::uint64_t sectors = 0;
  const char* end = asked.data() + asked.size();
  const auto parsed = std::from_chars(asked.data(), end, sectors);
  if (parsed.ec != std::errc() || parsed.ptr != end) return asked;
  return std::to_string(
      std::max(sectors, 8 * settings.cache_chunk_bytes / 512));
}

}  // namespace

NamedSettings named_settings(const std::vector<std::string>& texts) {
  NamedSettings settings;
  for (std::string text : texts) {
    std::replace(text.begin(), text.end(), ',', ' ');
    // "a = 1" becomes "a=1".
    std::string joined;
    for (const char c : text) {
      if (c == '=') joined.erase(joined.find_last_not_of(' ') + 1);
      if (c == ' ' && !joined.empty() && joined.back() == '=') continue;
      joined += c;
    }
    std::istringstream words(joined);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      settings[word.substr(0, equals)] =
          equals == std::string::npos ? "1" : word.substr(equals + 1);
    }
  }
  return settings;
}

NamedSettings settings_in_effect(const Settings& settings,
                                 const ReadBack& found) {
  if (settings.cache == Cache::kWritecache) {
    return writecache_settings(found.target("writecache"));
  }
  return named_settings({found.volume(kVolume).text("kernel_cache_settings")});
}

void require_cache_settings(const Settings& settings,
                            const NamedSettings& in_effect) {
  for (const auto& [name, asked] : named_settings(settings.cache_settings)) {
    // LVM takes it out then, and the kernel's own stays.
    if (asked == "default") continue;
    const auto one = in_effect.find(name);
    if (one == in_effect.end()) {
      // A word without a value isn't there when it is off.
      if (stands_alone(name) && asked == "0") continue;
      require_effective("cache_settings: " + name, asked, kNone);
      continue;
    }
    const bool threshold =
        settings.cache == Cache::kCache && name == "migration_threshold";
    if (threshold && one->second == raised_threshold(settings, asked)) continue;
    require_effective("cache_settings: " + name, asked, one->second);
  }
}

std::string settings_text(const NamedSettings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += (text.empty() ? "" : ",") + name + "=" + value;
  }
  return text.empty() ? kNone : text;
}

}  // namespace cowbench::lvm
