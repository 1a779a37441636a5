// SPDX-License-Identifier: Apache-2.0
#include "result/statistics.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

using cowbench::describe;
using cowbench::median;
using cowbench::median_absolute_deviation;
using cowbench::median_interval;
using cowbench::range;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace

TEST_CASE("an empty sample has no statistic") {
  CHECK_FALSE(median({}));
  CHECK_FALSE(range({}));
  CHECK_FALSE(median_absolute_deviation({}));
  CHECK_FALSE(median_interval({}));
  CHECK_FALSE(describe({}));
}

TEST_CASE("one value is its own median without deviation") {
  CHECK(*median({7.5}) == 7.5);
  CHECK(range({7.5})->minimum == 7.5);
  CHECK(range({7.5})->maximum == 7.5);
  CHECK(*median_absolute_deviation({7.5}) == 0.0);
  CHECK_FALSE(median_interval({7.5}));
}

TEST_CASE("the median of two values is their mean") {
  CHECK(*median({4.0, 1.0}) == 2.5);
  CHECK(*median_absolute_deviation({4.0, 1.0}) == 1.5);
  CHECK_FALSE(median_interval({4.0, 1.0}));
}

TEST_CASE("the median of two huge values does not overflow") {
  const double huge = std::numeric_limits<double>::max();
  CHECK(*median({huge, huge}) == huge);
}

TEST_CASE("the order of the values does not matter") {
  CHECK(*median({9.0, 1.0, 5.0}) == 5.0);
  CHECK(*median({9.0, 1.0, 5.0, 3.0}) == 4.0);
  CHECK(range({9.0, 1.0, 5.0})->minimum == 1.0);
  CHECK(range({9.0, 1.0, 5.0})->maximum == 9.0);
}

TEST_CASE("one outlier moves neither median nor MAD") {
  CHECK(*median({10.0, 11.0, 12.0, 13.0, 1e9}) == 12.0);
  CHECK(*median_absolute_deviation({10.0, 11.0, 12.0, 13.0, 1e9}) == 1.0);
}

TEST_CASE("ties are values like others") {
  CHECK(*median({2.0, 2.0, 2.0, 5.0}) == 2.0);
  CHECK(*median_absolute_deviation({2.0, 2.0, 2.0, 5.0}) == 0.0);
  const auto interval = median_interval({2, 2, 2, 2, 2, 2});
  REQUIRE(interval);
  CHECK(interval->low == 2.0);
  CHECK(interval->high == 2.0);
}

TEST_CASE("a sample with NaN or an infinity has no statistic") {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    std::vector<double> values = one_to(8);
    values[3] = bad;
    CHECK_FALSE(median(values));
    CHECK_FALSE(range(values));
    CHECK_FALSE(median_absolute_deviation(values));
    CHECK_FALSE(median_interval(values));
    CHECK_FALSE(describe(values));
  }
}

TEST_CASE("below six values there is no interval at 95 percent") {
  CHECK_FALSE(median_interval(one_to(5)));
  CHECK(median_interval(one_to(5), 0.90));
}

// Expected ranks and coverages: tables of the binomial with p = 1/2.
TEST_CASE("the interval takes the ranks that the binomial allows") {
  struct Row {
    int n;
    double low;
    double high;
    double coverage;
  };
  const Row rows[] = {{6, 1, 6, 0.96875},    {7, 1, 7, 0.984375},
                      {8, 1, 8, 0.9921875},  {9, 2, 8, 0.9609375},
                      {10, 2, 9, 0.978516},  {20, 6, 15, 0.958611},
                      {50, 18, 33, 0.967160}};
  for (const Row& row : rows) {
    CAPTURE(row.n);
    const auto interval = median_interval(one_to(row.n));
    REQUIRE(interval);
    CHECK(interval->low == row.low);
    CHECK(interval->high == row.high);
    CHECK(interval->coverage == Approx(row.coverage).epsilon(1e-5));
  }
}

TEST_CASE("large samples do not underflow") {
  const auto interval = median_interval(one_to(5000));
  REQUIRE(interval);
  CHECK(interval->coverage >= 0.95);
  CHECK(interval->coverage < 0.96);
  CHECK(interval->low == Approx(2430).margin(3));
  CHECK(interval->low + interval->high == 5001.0);
}

TEST_CASE("describe answers all statistics at once") {
  const auto statistics = describe({3.0, 1.0, 2.0});
  REQUIRE(statistics);
  CHECK(statistics->n == 3);
  CHECK(statistics->median == 2.0);
  CHECK(statistics->minimum == 1.0);
  CHECK(statistics->maximum == 3.0);
  CHECK(statistics->mad == 1.0);
  CHECK_FALSE(statistics->interval);
}
