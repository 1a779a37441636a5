// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace cowbench::workloads {

// The exact percentile of `samples` by nearest rank: the smallest sample
// which at least `percent` per cent of the samples don't exceed. Nothing is
// interpolated, so the result is always one of the samples.
// percent: above 0 up to 100; 0 and less give the minimum, more gives the
// maximum. n = 0: nothing. n = 1: that sample. n = 2: the smaller one up to
// 50, the larger one above. The samples must not contain NaN.
template <typename T>
std::optional<T> percentile(std::vector<T> samples, double percent) {
  if (samples.empty()) return std::nullopt;
  const double count = static_cast<double>(samples.size());
  // 99.9 per cent of 1000 must be rank 999; its product is a hair above.
  const double rank = std::ceil(percent / 100.0 * count - 1e-9);
  const double clamped = std::min(std::max(rank, 1.0), count);
  const auto nth = samples.begin() + static_cast<std::ptrdiff_t>(clamped) - 1;
  std::nth_element(samples.begin(), nth, samples.end());
  return *nth;
}

// The median: the middle sample, or the mean of the two middle ones.
// n = 0: nothing. n = 1: that sample. n = 2: their mean.
template <typename T>
std::optional<double> median(std::vector<T> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  const double upper = static_cast<double>(samples[middle]);
  if (samples.size() % 2 == 1) return upper;
  const double lower = static_cast<double>(samples[middle - 1]);
  return lower + (upper - lower) / 2;
}

}  // namespace cowbench::workloads
