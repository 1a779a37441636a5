// SPDX-License-Identifier: Apache-2.0
#include "config/option.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/json.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "config/profile.hpp"

namespace cowbench {

namespace {

using Parsed = std::variant<ConfigValue, std::string>;

Parsed accepted(ConfigValue value) {
  return Parsed(std::in_place_index<0>, std::move(value));
}

Parsed refusal(std::string message) {
  return Parsed(std::in_place_index<1>, std::move(message));
}

std::string expected(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionType::kText:
      return "text";
    case OptionType::kBoolean:
      return "true or false";
    case OptionType::kInteger:
      return "a whole number";
    case OptionType::kNumber:
      return "a number";
    case OptionType::kSize:
      return "a size (\"64MiB\", or a whole number of bytes)";
    case OptionType::kDuration:
      return "a duration (\"30s\", or a number of seconds)";
    case OptionType::kTextList:
      return "an array of texts";
  }
  return "a value of a type that this version does not know";
}

struct Unit {
  std::int64_t factor;
  const char* name;
};

// In the largest unit that shows the value exactly: a bound must be readable
// and true.
template <std::size_t N>
std::string exact(double value, const std::array<Unit, N>& units) {
  const auto whole = static_cast<std::int64_t>(value);
  for (const Unit& unit : units) {
    if (whole != 0 && whole % unit.factor == 0) {
      return std::to_string(whole / unit.factor) + unit.name;
    }
  }
  return "0";
}

std::string bound_text(OptionType type, double bound) {
  constexpr std::array<Unit, 6> kSizes = {{{std::int64_t{1} << 50, "PiB"},
                                           {std::int64_t{1} << 40, "TiB"},
                                           {std::int64_t{1} << 30, "GiB"},
                                           {std::int64_t{1} << 20, "MiB"},
                                           {std::int64_t{1} << 10, "KiB"},
                                           {1, "B"}}};
  constexpr std::array<Unit, 6> kTimes = {{{3'600'000'000'000, "h"},
                                           {60'000'000'000, "min"},
                                           {1'000'000'000, "s"},
                                           {1'000'000, "ms"},
                                           {1'000, "us"},
                                           {1, "ns"}}};
  if (type == OptionType::kSize) return exact(bound, kSizes);
  if (type == OptionType::kDuration) return exact(bound, kTimes);
  std::array<char, 64> text{};
  const auto format = std::abs(bound) < 1e15 ? std::chars_format::fixed
                                             : std::chars_format::general;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), bound, format).ptr;
  return std::string(text.data(), end);
}

Parsed within_bounds(const OptionSpec& spec, ConfigValue checked,
                     const std::string& found) {
  if (spec.minimum == 0 && spec.maximum == 0)
    return accepted(std::move(checked));
  const auto* integer = std::get_if<std::int64_t>(&checked);
  const auto* floating = std::get_if<double>(&checked);
  if (integer == nullptr && floating == nullptr) {
    return accepted(std::move(checked));
  }
  const double number =
      integer != nullptr ? static_cast<double>(*integer) : *floating;
  const bool bounded_above = spec.maximum != 0 || spec.minimum < 0;
  if (number >= spec.minimum && (!bounded_above || number <= spec.maximum)) {
    return accepted(std::move(checked));
  }
  const std::string least = bound_text(spec.type, spec.minimum);
  const std::string most = bound_text(spec.type, spec.maximum);
  return refusal(
      found + " is out of bounds: it must be " +
      (bounded_above ? "from " + least + " to " + most : "at least " + least));
}

// The value without regard to allowed words.
Parsed parse_plain(const OptionSpec& spec, std::string_view text) {
  const std::string_view trimmed = trim(text);
  const char* const last = trimmed.data() + trimmed.size();
  switch (spec.type) {
    case OptionType::kText:
      return accepted(std::string(text));
    case OptionType::kBoolean:
      if (trimmed == "true") return accepted(true);
      if (trimmed == "false") return accepted(false);
      break;
    case OptionType::kInteger: {
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(trimmed.data(), last, number);
      if (error == std::errc() && end == last) {
        return within_bounds(spec, number, in_quotes(text));
      }
      break;
    }
    case OptionType::kNumber: {
      double number = 0;
      const auto [end, error] = std::from_chars(trimmed.data(), last, number);
      if (error == std::errc() && end == last && std::isfinite(number)) {
        return within_bounds(spec, number, in_quotes(text));
      }
      break;
    }
    case OptionType::kSize: {
      const auto bytes = parse_size(text);
      if (!bytes) return refusal(bytes.error().message());
      return within_bounds(spec, static_cast<std::int64_t>(*bytes),
                           in_quotes(text));
    }
    case OptionType::kDuration: {
      const auto ns = parse_duration_ns(text);
      if (!ns) return refusal(ns.error().message());
      return within_bounds(spec, static_cast<std::int64_t>(*ns),
                           in_quotes(text));
    }
    case OptionType::kTextList: {
      std::vector<std::string> words;
      if (trimmed.empty()) return accepted(words);
      for (const std::string& word : split(trimmed, ',')) {
        words.emplace_back(trim(word));
      }
      if (std::find(words.begin(), words.end(), "") == words.end()) {
        return accepted(words);
      }
      return refusal("expected words with a comma between, found " +
                     in_quotes(text));
    }
  }
  return refusal("expected " + expected(spec) + ", found " + in_quotes(text));
}

// A list is allowed word by word; anything else when it equals the value of an
// allowed word, so that "4KiB" and 4096 are the same.
Parsed among_allowed(const OptionSpec& spec, ConfigValue checked,
                     const std::string& found) {
  if (spec.allowed.empty()) return accepted(std::move(checked));
  const std::string allowed = "; allowed: " + join(spec.allowed, ", ");
  if (const auto* words = std::get_if<std::vector<std::string>>(&checked)) {
    for (const std::string& word : *words) {
      if (std::find(spec.allowed.begin(), spec.allowed.end(), word) ==
          spec.allowed.end()) {
        return refusal("unknown word " + in_quotes(word) +
                       did_you_mean(word, spec.allowed) + allowed);
      }
    }
    return accepted(std::move(checked));
  }
  for (const std::string& word : spec.allowed) {
    const Parsed one = parse_plain(spec, word);
    if (one.index() == 0 && std::get<0>(one) == checked) {
      return accepted(std::move(checked));
    }
  }
  const auto* text = std::get_if<std::string>(&checked);
  return refusal("unknown value " + found +
                 (text != nullptr ? did_you_mean(*text, spec.allowed) : "") +
                 allowed);
}

// Would be cut off where a plugin takes it as a C string.
bool has_zero_byte(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

Parsed read_list(const JsonNode& node) {
  std::vector<std::string> words;
  for (const JsonNode& item : node.children) {
    if (item.kind != JsonNode::Kind::kText || item.text.empty() ||
        has_zero_byte(item.text)) {
      return refusal("expected an array of texts, found " + describe(item) +
                     " as element " + std::to_string(words.size()));
    }
    words.push_back(item.text);
  }
  return accepted(words);
}

// The value without regard to allowed words.
Parsed read_plain(const OptionSpec& spec, const JsonNode& node) {
  using Kind = JsonNode::Kind;
  const bool text = node.kind == Kind::kText && !has_zero_byte(node.text);
  const bool integer = node.kind == Kind::kInteger;
  const bool number = integer || node.kind == Kind::kNumber;
  switch (spec.type) {
    case OptionType::kText:
      if (text) return accepted(node.text);
      break;
    case OptionType::kBoolean:
      if (node.kind == Kind::kBoolean) return accepted(node.truth);
      break;
    case OptionType::kInteger:
      if (integer) return within_bounds(spec, node.integer, node.text);
      break;
    case OptionType::kNumber:
      if (number) return within_bounds(spec, node.number, node.text);
      break;
    case OptionType::kSize:
      if (text) return parse_plain(spec, node.text);
      if (integer && node.integer >= 0) {
        return within_bounds(spec, node.integer, node.text + " bytes");
      }
      break;
    case OptionType::kDuration:
      if (text) return parse_plain(spec, node.text);
      if (number && node.number >= 0 && node.number < 9.2e9) {
        return within_bounds(
            spec, static_cast<std::int64_t>(std::llround(node.number * 1e9)),
            node.text + " seconds");
      }
      break;
    case OptionType::kTextList:
      if (node.kind == Kind::kArray) return read_list(node);
      break;
  }
  return refusal("expected " + expected(spec) + ", found " + describe(node));
}

}  // namespace

std::variant<ConfigValue, std::string> parse_option(const OptionSpec& spec,
                                                    std::string_view text) {
  Parsed plain = parse_plain(spec, text);
  if (plain.index() != 0) return plain;
  return among_allowed(spec, std::get<0>(std::move(plain)), in_quotes(text));
}

std::variant<ConfigValue, std::string> read_option(const OptionSpec& spec,
                                                   const JsonNode& node) {
  Parsed plain = read_plain(spec, node);
  if (plain.index() != 0) return plain;
  return among_allowed(
      spec, std::get<0>(std::move(plain)),
      node.kind == JsonNode::Kind::kText ? in_quotes(node.text) : node.text);
}

std::vector<std::string> fill_defaults(
    const std::vector<OptionSpec>& specs, const std::string& prefix,
    std::map<std::string, ConfigValue>& values) {
  std::vector<std::string> faults;
  for (const OptionSpec& spec : specs) {
    if (values.count(spec.key) != 0) continue;
    if (spec.required) {
      faults.push_back("the key \"" + prefix + spec.key + "\" is missing: " +
                       expected(spec) + "; " + spec.summary);
      continue;
    }
    if (!spec.default_value) continue;
    const Parsed parsed = parse_option(spec, *spec.default_value);
    if (parsed.index() == 0) {
      values.emplace(spec.key, std::get<0>(parsed));
    } else {
      faults.push_back("the plugin declares a default of \"" + prefix +
                       spec.key +
                       "\" that is not valid: " + std::get<1>(parsed));
    }
  }
  return faults;
}

const OptionSpec* find_option(const std::vector<OptionSpec>& specs,
                              std::string_view key) {
  const auto found =
      std::find_if(specs.begin(), specs.end(),
                   [&](const OptionSpec& spec) { return spec.key == key; });
  return found == specs.end() ? nullptr : &*found;
}

std::vector<std::string> option_keys(const std::vector<OptionSpec>& specs) {
  std::vector<std::string> keys;
  for (const OptionSpec& spec : specs) keys.push_back(spec.key);
  return keys;
}

std::string config_value_json(const ConfigValue& value) {
  JsonWriter json;
  if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
    json.begin_array();
    for (const std::string& word : *words) json.value(word);
    json.end_array();
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    json.value(*text);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    json.value(*truth);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json.value(*integer);
  } else {
    json.value(std::get<double>(value));
  }
  return json.text();
}

}  // namespace cowbench
