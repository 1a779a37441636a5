// SPDX-License-Identifier: Apache-2.0
#include "result/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "result/statistics.hpp"

namespace cowbench {

namespace {

constexpr std::size_t kMostExact = 60;  // values in both samples

bool usable(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

// Twice the mid-rank of each value among all, in the order given: whole
// numbers, ties or not.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return all[x] < all[y]; });
  std::vector<std::size_t> ranks(all.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() &&
           all[order[last + 1]] == all[order[first]]) {
      ++last;
    }
    // Ranks count from 1: the mean of first+1 .. last+1, doubled.
    for (std::size_t i = first; i <= last; ++i) {
      ranks[order[i]] = first + last + 2;
    }
    first = last + 1;
  }
  return ranks;
}

// How many of the ways to choose `count` of the ranks give each sum. Counts
// are exact up to 2^53, and their error is far below any p-value beyond.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& ranks,
                                std::size_t count) {
  const std::size_t all =
      std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(count + 1,
                                        std::vector<double>(all + 1, 0.0));
  ways[0][0] = 1.0;
  std::size_t seen = 0;
  for (const std::size_t rank : ranks) {
    seen += rank;
    for (std::size_t chosen = count; chosen >= 1; --chosen) {
      for (std::size_t sum = seen; sum >= rank; --sum) {
        ways[chosen][sum] += ways[chosen - 1][sum - rank];
        if (sum == rank) break;  // unsigned
      }
    }
  }
  return ways[count];
}

double exact_p_value(const std::vector<std::size_t>& ranks, std::size_t chosen,
                     std::size_t observed) {
  const std::vector<double> ways = ways_by_sum(ranks, chosen);
  const double total = std::accumulate(ways.begin(), ways.end(), 0.0);
  // Twice the mean, so that everything stays whole.
  const auto mean2 = static_cast<double>(chosen * (ranks.size() + 1) * 2);
  const double far = std::abs(2.0 * static_cast<double>(observed) - mean2);
  double extreme = 0.0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    if (std::abs(2.0 * static_cast<double>(sum) - mean2) >= far) {
      extreme += ways[sum];
    }
  }
  return std::min(1.0, extreme / total);
}

double normal_p_value(const std::vector<double>& all, double a, double b,
                      double u) {
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  double ties = 0.0;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t next = first;
    while (next < sorted.size() && sorted[next] == sorted[first]) ++next;
    const auto size = static_cast<double>(next - first);
    ties += size * size * size - size;
    first = next;
  }
  const double n = a + b;
  const double variance = a * b / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
  if (variance <= 0.0) return 1.0;
  const double distance = std::max(0.0, std::abs(u - a * b / 2.0) - 0.5);
  return std::erfc(distance / std::sqrt(2.0 * variance));
}

std::vector<std::size_t> untied_ranks(std::size_t n) {
  std::vector<std::size_t> ranks(n);
  for (std::size_t i = 0; i < n; ++i) ranks[i] = 2 * (i + 1);
  return ranks;
}

// The largest k for which the k-th smallest and the k-th largest quotient
// enclose the ratio with that confidence; 0: none does.
std::size_t order_statistic(std::size_t a, std::size_t b, double confidence) {
  const std::vector<double> ways = ways_by_sum(untied_ranks(a + b), b);
  const double total = std::accumulate(ways.begin(), ways.end(), 0.0);
  const std::size_t least_sum = b * (b + 1);  // doubled
  double tail = 0.0;
  std::size_t k = 0;
  for (; k < a * b; ++k) {
    tail += ways[least_sum + 2 * k];
    if (2.0 * tail / total > 1.0 - confidence) break;
  }
  return k;
}

}  // namespace

std::optional<RankTest> rank_test(const std::vector<double>& a,
                                  const std::vector<double>& b) {
  if (!usable(a) || !usable(b)) return std::nullopt;
  std::vector<double> all = b;
  all.insert(all.end(), a.begin(), a.end());
  const std::vector<std::size_t> ranks = doubled_ranks(all);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += ranks[i];
  const auto size_a = static_cast<double>(a.size());
  const auto size_b = static_cast<double>(b.size());
  RankTest test;
  test.u = static_cast<double>(sum) / 2.0 - size_b * (size_b + 1.0) / 2.0;
  test.exact = all.size() <= kMostExact;
  test.p_value = test.exact ? exact_p_value(ranks, b.size(), sum)
                            : normal_p_value(all, size_a, size_b, test.u);
  return test;
}

double least_p_value(std::size_t a, std::size_t b) {
  if (a == 0 || b == 0) return 1.0;
  double ways = 1.0;
  for (std::size_t i = 1; i <= b; ++i) {
    ways *= static_cast<double>(a + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2.0 / ways);
}

std::optional<RatioInterval> ratio_interval(const std::vector<double>& a,
                                            const std::vector<double>& b,
                                            double confidence) {
  if (!usable(a) || !usable(b)) return std::nullopt;
  const auto positive = [](double value) { return value > 0.0; };
  if (!std::all_of(a.begin(), a.end(), positive) ||
      !std::all_of(b.begin(), b.end(), positive)) {
    return std::nullopt;
  }
  RatioInterval interval;
  interval.ratio = *median(b) / *median(a);
  if (a.size() + b.size() > kMostExact) return interval;
  const std::size_t k = order_statistic(a.size(), b.size(), confidence);
  if (k == 0) return interval;
  std::vector<double> quotients;
  quotients.reserve(a.size() * b.size());
  for (const double below : a) {
    for (const double above : b) quotients.push_back(above / below);
  }
  std::sort(quotients.begin(), quotients.end());
  interval.low = std::min(interval.ratio, quotients[k - 1]);
  interval.high = std::max(interval.ratio, quotients[quotients.size() - k]);
  return interval;
}

std::optional<double> robust_variation(const std::vector<double>& values) {
  // Makes the deviation of normal values a standard deviation.
  constexpr double kNormal = 1.4826;
  const auto centre = median(values);
  const auto deviation = median_absolute_deviation(values);
  if (!centre || !deviation || *centre == 0.0) return std::nullopt;
  return kNormal * *deviation / std::abs(*centre);
}

std::optional<double> detectable_effect(double variation, std::size_t a,
                                        std::size_t b) {
  constexpr double kPower = 2.80;  // 1.96 + 0.84
  if (a == 0 || b == 0 || !std::isfinite(variation)) return std::nullopt;
  return kPower * variation *
         std::sqrt(1.0 / static_cast<double>(a) + 1.0 / static_cast<double>(b));
}

std::optional<ChangePoint> change_point(const std::vector<double>& series) {
  if (series.size() < 2 || !usable(series)) return std::nullopt;
  const std::size_t n = series.size();
  // The statistic from ranks: 2 * sum of the first t ranks - t (n + 1).
  const std::vector<std::size_t> ranks = doubled_ranks(series);
  ChangePoint found;
  double largest = -1.0;
  double sum = 0.0;
  for (std::size_t t = 1; t < n; ++t) {
    sum += static_cast<double>(ranks[t - 1]);
    const double statistic =
        std::abs(sum - static_cast<double>(t) * static_cast<double>(n + 1));
    if (statistic > largest) {
      largest = statistic;
      found.index = t;
    }
  }
  const auto size = static_cast<double>(n);
  found.p_value = std::min(1.0, 2.0 * std::exp(-6.0 * largest * largest /
                                               (size * size * (size + 1.0))));
  return found;
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!std::isnan(p_values[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return p_values[x] < p_values[y];
  });
  std::vector<double> corrected = p_values;
  double above = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto tests = static_cast<double>(order.size() - i);
    above = std::max(above, std::min(1.0, tests * p_values[order[i]]));
    corrected[order[i]] = above;
  }
  return corrected;
}

}  // namespace cowbench
