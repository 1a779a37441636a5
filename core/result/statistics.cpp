// SPDX-License-Identifier: Apache-2.0
#include "result/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace cowbench {

namespace {

bool usable(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

// `sorted` is not empty. Halves are added, as a sum could overflow.
double middle(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return sorted[half - 1] / 2.0 + sorted[half] / 2.0;
}

}  // namespace

std::optional<double> median(const std::vector<double>& values) {
  if (!usable(values)) return std::nullopt;
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return middle(sorted);
}

std::optional<Range> range(const std::vector<double>& values) {
  if (!usable(values)) return std::nullopt;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return Range{*low, *high};
}

std::optional<double> median_absolute_deviation(
    const std::vector<double>& values) {
  const std::optional<double> centre = median(values);
  if (!centre) return std::nullopt;
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) {
    deviations.push_back(std::abs(value - *centre));
  }
  return median(deviations);
}

std::optional<MedianInterval> median_interval(const std::vector<double>& values,
                                              double confidence) {
  if (!usable(values)) return std::nullopt;
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();

  // P(B = i) as a logarithm: 2^-n underflows from n = 1075 on.
  double log_term = -static_cast<double>(n) * std::log(2.0);
  double tail = 0.0;  // P(B < k)
  std::optional<MedianInterval> best;
  for (std::size_t k = 1; 2 * k <= n; ++k) {
    tail += std::exp(log_term);
    log_term += std::log(static_cast<double>(n - k + 1)) -
                std::log(static_cast<double>(k));
    const double coverage = 1.0 - 2.0 * tail;
    if (coverage < confidence) break;
    best = MedianInterval{sorted[k - 1], sorted[n - k], coverage};
  }
  return best;
}

std::optional<Statistics> describe(const std::vector<double>& values) {
  const std::optional<Range> bounds = range(values);
  if (!bounds) return std::nullopt;
  Statistics statistics;
  statistics.n = values.size();
  statistics.median = *median(values);
  statistics.minimum = bounds->minimum;
  statistics.maximum = bounds->maximum;
  statistics.mad = median_absolute_deviation(values).value_or(0.0);
  statistics.interval = median_interval(values);
  return statistics;
}

}  // namespace cowbench
