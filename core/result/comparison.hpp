// SPDX-License-Identifier: Apache-2.0
// Statistics of two small samples, and of a series. Pure functions on ranks
// and order statistics: nothing is assumed about the shape of a distribution.
// A sample that is empty, or holds NaN or an infinity, answers nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace cowbench {

// The Mann-Whitney test (Wilcoxon's rank sum): may both samples come from one
// distribution?
struct RankTest {
  double u = 0.0;        // pairs in which b is larger; ties count half
  double p_value = 1.0;  // two-sided
  bool exact = false;    // of the permutations, not of the normal curve
};

// Exact up to 60 values in all, ties included: the distribution of the sum of
// mid-ranks over all ways to choose the sample (B. Streitberg, J. Roehmel:
// Exact distributions for permutation and rank tests, Statistical Software
// Newsletter 12, 1986). Above that the normal approximation with corrections
// for ties and continuity (E. L. Lehmann: Nonparametrics, 1975, section 1.4).
std::optional<RankTest> rank_test(const std::vector<double>& a,
                                  const std::vector<double>& b);

// The least two-sided p-value that samples of these sizes can give; where it
// is above the level wanted, no difference can be shown, however large.
double least_p_value(std::size_t a, std::size_t b);

// How many times as large b is as a.
struct RatioInterval {
  double ratio = 1.0;  // of the medians
  // Of the ratio of distributions that differ by a factor; absent when the
  // samples are too small for the confidence, or too large for the table.
  std::optional<double> low;
  std::optional<double> high;
};

// The interval between order statistics of all quotients b/a, the counterpart
// of the test above on logarithms (L. E. Moses; M. Hollander, D. A. Wolfe:
// Nonparametric Statistical Methods, 2nd ed., 1999, section 4.3). Widened to
// hold the ratio of the medians. Nothing unless all values are above 0.
std::optional<RatioInterval> ratio_interval(const std::vector<double>& a,
                                            const std::vector<double>& b,
                                            double confidence = 0.95);

// 1.4826 median absolute deviations over the median: for normal values the
// coefficient of variation. Nothing for a median of 0.
std::optional<double> robust_variation(const std::vector<double>& values);

// The smallest relative difference that a test of samples of these sizes finds
// in four of five cases, at 5 % two-sided: 2.80 CV sqrt(1/a + 1/b), the sum of
// the normal curve's 97.5 % and 80 % points times the error of a difference.
// Nothing when a size is 0.
std::optional<double> detectable_effect(double variation, std::size_t a,
                                        std::size_t b);

// Where a series changes its level.
struct ChangePoint {
  std::size_t index = 0;  // the first value of the new level
  double p_value = 1.0;   // approximate, on the safe side for short series
};

// The Pettitt test (A. N. Pettitt: A non-parametric approach to the
// change-point problem, Applied Statistics 28, 1979). Nothing below 2 values.
std::optional<ChangePoint> change_point(const std::vector<double>& series);

// p-values corrected for their number (S. Holm: A simple sequentially rejective
// multiple test procedure, Scandinavian Journal of Statistics 6, 1979), in the
// order given. NaN stays NaN and does not count.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace cowbench
