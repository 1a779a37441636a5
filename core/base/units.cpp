// SPDX-License-Identifier: Apache-2.0
#include "base/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/text.hpp"

namespace cowbench {

namespace {

struct Number {
  double value;
  std::string_view suffix;
};

// Splits "1.5GiB" into 1.5 and "GiB"; from_chars heeds no locale.
Result<Number> split_number(std::string_view text, const char* what) {
  const std::string_view trimmed = trim(text);
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value,
                      std::chars_format::fixed);
  if (error != std::errc() || value < 0.0 || !std::isfinite(value)) {
    return Error(Category::kUsage,
                 "\"" + std::string(text) + "\" is not a " + what);
  }
  const auto used = static_cast<std::size_t>(end - trimmed.data());
  return Number{value, trim(trimmed.substr(used))};
}

std::string one_decimal(double value, const char* unit) {
  std::array<char, 48> buffer{};
  const bool whole = std::abs(value - std::round(value)) < 0.05;
  std::snprintf(buffer.data(), buffer.size(), whole ? "%.0f %s" : "%.1f %s",
                value, unit);
  return buffer.data();
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  auto number = split_number(text, "size (examples: 512, 4KiB, 16GiB)");
  if (!number) return number.error();
  std::string suffix(number->suffix);
  if (suffix.size() >= 2 && suffix.substr(suffix.size() - 2) == "iB") {
    suffix.resize(suffix.size() - 2);
  } else if (!suffix.empty() && suffix.back() == 'B') {
    suffix.pop_back();
  }
  constexpr std::string_view kUnits = "KMGTP";
  double factor = 1.0;
  if (suffix.size() == 1) {
    const char letter = suffix[0] == 'k' ? 'K' : suffix[0];
    const std::size_t index = kUnits.find(letter);
    if (index == std::string_view::npos)
      suffix = "?";
    else
      factor = std::pow(1024.0, static_cast<double>(index + 1));
  }
  if (suffix.size() > 1 || suffix == "?") {
    return Error(Category::kUsage,
                 "\"" + std::string(text) +
                     "\" is not a size: the unit must be one of B, KiB, MiB, "
                     "GiB, TiB, PiB");
  }
  const double bytes = number->value * factor;
  if (bytes >= static_cast<double>(std::numeric_limits<std::int64_t>::max())) {
    return Error(Category::kUsage,
                 "\"" + std::string(text) + "\" is too large for a size");
  }
  return static_cast<std::uint64_t>(std::llround(bytes));
}

std::string format_size(std::uint64_t bytes) {
  constexpr std::array<const char*, 6> kNames = {"B",   "KiB", "MiB",
                                                 "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t index = 0;
  // 1023.95 would be printed as 1024 of the smaller unit.
  while (value >= 1023.95 && index + 1 < kNames.size()) {
    value /= 1024.0;
    ++index;
  }
  return one_decimal(value, kNames[index]);
}

Result<std::uint64_t> parse_duration_ns(std::string_view text) {
  auto number = split_number(text, "duration (examples: 200ms, 30s, 2min)");
  if (!number) return number.error();
  struct Unit {
    std::string_view name;
    double ns;
  };
  constexpr std::array<Unit, 8> kUnits = {{{"ns", 1.0},
                                           {"us", 1e3},
                                           {"ms", 1e6},
                                           {"s", 1e9},
                                           {"", 1e9},
                                           {"min", 6e10},
                                           {"m", 6e10},
                                           {"h", 3.6e12}}};
  for (const Unit& unit : kUnits) {
    if (number->suffix != unit.name) continue;
    const double ns = number->value * unit.ns;
    if (ns >= static_cast<double>(std::numeric_limits<std::int64_t>::max())) {
      break;
    }
    return static_cast<std::uint64_t>(std::llround(ns));
  }
  return Error(Category::kUsage,
               "\"" + std::string(text) +
                   "\" is not a duration: the unit must be one of ns, us, ms, "
                   "s, min, h");
}

std::string format_duration(std::uint64_t ns) {
  const double value = static_cast<double>(ns);
  // The limits are where rounding would give 1000 of the smaller unit.
  if (value < 1e3) return one_decimal(value, "ns");
  if (value < 999.95e3) return one_decimal(value / 1e3, "us");
  if (value < 999.95e6) return one_decimal(value / 1e6, "ms");
  if (value < 59.95e9) return one_decimal(value / 1e9, "s");
  const auto seconds = static_cast<std::uint64_t>(std::llround(value / 1e9));
  if (seconds < 3600) {
    return std::to_string(seconds / 60) + " min " +
           std::to_string(seconds % 60) + " s";
  }
  return std::to_string(seconds / 3600) + " h " +
         std::to_string(seconds % 3600 / 60) + " min";
}

}  // namespace cowbench
