// SPDX-License-Identifier: Apache-2.0
#include "report/figure.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace cowbench {

namespace {

std::string with_decimals(double value, int decimals) {
  // The largest double has 309 digits before the point.
  std::array<char, 400> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    std::chars_format::fixed, decimals);
  return error == std::errc() ? std::string(buffer.data(), end) : "?";
}

}  // namespace

std::string rounded_figure(double value) {
  const double size = std::abs(value);
  if (size >= 1e15 || (size > 0.0 && size < 1e-4) || !std::isfinite(value)) {
    return exact_figure(value);
  }
  if (value == std::floor(value)) return with_decimals(value, 0);
  if (size >= 100.0) return with_decimals(value, 0);
  return with_decimals(value,
                       2 - static_cast<int>(std::floor(std::log10(size))));
}

std::string exact_figure(double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc() ? std::string(buffer.data(), end) : "?";
}

std::string percentage(double share) {
  return with_decimals(share * 100.0, 1) + " %";
}

}  // namespace cowbench
