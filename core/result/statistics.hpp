// SPDX-License-Identifier: Apache-2.0
// Statistics of small samples: order statistics only, so nothing is assumed
// about the shape of the distribution. All functions are pure; the order of
// the values does not matter. A sample that is empty, or holds NaN or an
// infinity, has no statistic: every function answers nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace cowbench {

// The middle value; for an even count the mean of the two in the middle.
std::optional<double> median(const std::vector<double>& values);

struct Range {
  double minimum = 0.0;
  double maximum = 0.0;
};
std::optional<Range> range(const std::vector<double>& values);

// The median of the absolute deviations from the median, not scaled to match a
// standard deviation. 0 for one value.
std::optional<double> median_absolute_deviation(
    const std::vector<double>& values);

// A confidence interval of the median.
struct MedianInterval {
  double low = 0.0;
  double high = 0.0;
  double coverage = 0.0;  // real confidence, at least the one asked for
};

// The interval between the k-th smallest and the k-th largest value, with the
// largest k whose confidence 1 - 2 P(B < k), B binomial(n, 1/2), is at least
// `confidence` (H. A. David, H. N. Nagaraja: Order Statistics, 3rd ed., 2003,
// section 7.1). Needs independent values of one distribution and nothing else;
// ties only raise the coverage. Nothing when no k reaches the confidence: at
// 0.95 below six values.
std::optional<MedianInterval> median_interval(const std::vector<double>& values,
                                              double confidence = 0.95);

// All of them at once.
struct Statistics {
  std::size_t n = 0;
  double median = 0.0;
  double minimum = 0.0;
  double maximum = 0.0;
  double mad = 0.0;
  std::optional<MedianInterval> interval;  // at 95 %
};
std::optional<Statistics> describe(const std::vector<double>& values);

}  // namespace cowbench
