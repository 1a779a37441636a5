// SPDX-License-Identifier: Apache-2.0
// The expected figures were worked out by hand from the definitions, or by
// counting all permutations.
#include "result/comparison.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace cowbench;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

// By brute force: the share of all splits that are as far off.
double p_by_enumeration(const Values& a, const Values& b) {
  Values all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto u_of = [&](unsigned mask) {
    double u = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        if ((mask >> i & 1U) == 1U || (mask >> j & 1U) == 0U) continue;
        u += all[j] > all[i] ? 1.0 : all[j] == all[i] ? 0.5 : 0.0;
      }
    }
    return u;
  };
  const unsigned observed = ((1U << b.size()) - 1U) << a.size();
  const double middle = static_cast<double>(a.size() * b.size()) / 2.0;
  const double far = std::abs(u_of(observed) - middle);
  double extreme = 0.0;
  double total = 0.0;
  for (unsigned mask = 0; mask < 1U << all.size(); ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) != b.size())
      continue;
    total += 1.0;
    if (std::abs(u_of(mask) - middle) >= far - 1e-9) extreme += 1.0;
  }
  return extreme / total;
}

}  // namespace

TEST_CASE("nothing is compared with nothing") {
  for (const Values& bad : {Values{}, Values{kNaN}, Values{1.0, INFINITY}}) {
    CHECK_FALSE(rank_test(bad, {1.0}));
    CHECK_FALSE(rank_test({1.0}, bad));
    CHECK_FALSE(ratio_interval(bad, {1.0}));
    CHECK_FALSE(ratio_interval({1.0}, bad));
    CHECK_FALSE(robust_variation(bad));
    CHECK_FALSE(change_point(bad));
  }
  CHECK_FALSE(detectable_effect(0.1, 0, 3));
  CHECK_FALSE(change_point({1.0}));
  CHECK(holm({}).empty());
}

TEST_CASE("the rank test is that of all permutations") {
  CHECK(rank_test({1.0}, {2.0})->p_value == 1.0);
  CHECK(rank_test({1.0, 2.0}, {3.0, 4.0})->p_value == Approx(1.0 / 3.0));
  CHECK(rank_test({1, 2, 3}, {4, 5, 6})->p_value == Approx(0.1));
  CHECK(rank_test({1, 2, 3}, {4, 5, 6})->u == 9.0);
  CHECK(rank_test({1, 2, 3, 4}, {5, 6, 7, 8})->p_value == Approx(2.0 / 70.0));
  for (const auto& [a, b] : {std::pair<Values, Values>{{1, 5, 2}, {4, 3, 9, 7}},
                             {{1, 1, 2}, {1, 2, 2, 3}},
                             {{5, 5, 5}, {5, 5, 5}},
                             {{0.5, 0.5}, {0.5, 0.25, 9.0, 0.5, 1.0}}}) {
    const auto test = rank_test(a, b);
    CHECK(test->exact);
    CHECK(test->p_value == Approx(p_by_enumeration(a, b)));
    CHECK(rank_test(b, a)->p_value == Approx(test->p_value));
  }
}

TEST_CASE("constant samples do not differ") {
  CHECK(rank_test(Values(50, 3.0), Values(50, 3.0))->p_value == 1.0);
  CHECK(rank_test(Values(4, 3.0), Values(5, 3.0))->p_value == 1.0);
  CHECK(*robust_variation(Values(5, 3.0)) == 0.0);
}

TEST_CASE("the normal curve takes over where the exact test ends") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(100.0, 10.0);
  Values a;
  Values b;
  for (int i = 0; i < 30; ++i) {
    a.push_back(noise(random));
    b.push_back(noise(random) + 4.0);
  }
  const auto exact = rank_test(a, b);
  REQUIRE(exact->exact);
  a.push_back(100.0);
  const auto normal = rank_test(a, b);
  REQUIRE_FALSE(normal->exact);
  CHECK(std::abs(normal->p_value - exact->p_value) < 0.02);
}

TEST_CASE("small samples can show nothing, and it is known beforehand") {
  CHECK(least_p_value(0, 4) == 1.0);
  CHECK(least_p_value(1, 1) == 1.0);
  CHECK(least_p_value(3, 3) == Approx(0.1));
  CHECK(least_p_value(4, 4) == Approx(2.0 / 70.0));
  CHECK(least_p_value(4, 4) ==
        Approx(rank_test({1, 2, 3, 4}, {5, 6, 7, 8})->p_value));
}

TEST_CASE("a ratio has an interval once the samples are large enough") {
  const auto small = ratio_interval({1, 2, 3}, {2, 4, 6});
  CHECK(small->ratio == 2.0);
  CHECK_FALSE(small->low);
  const auto larger = ratio_interval({10, 11, 12, 13}, {20, 22, 24, 26});
  CHECK(larger->ratio == 2.0);
  // With four against four only the extremes reach 95 %.
  CHECK(*larger->low == Approx(20.0 / 13.0));
  CHECK(*larger->high == Approx(26.0 / 10.0));
  CHECK_FALSE(ratio_interval({0.0, 1.0}, {1.0, 2.0}));
}

TEST_CASE("the interval of a ratio covers the truth as often as it says") {
  std::mt19937 random(42);
  std::normal_distribution<double> noise(0.0, 0.2);
  int covered = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Values a;
    Values b;
    for (int i = 0; i < 6; ++i) {
      a.push_back(100.0 * std::exp(noise(random)));
      b.push_back(130.0 * std::exp(noise(random)));
    }
    const auto interval = ratio_interval(a, b);
    covered += *interval->low <= 1.3 && 1.3 <= *interval->high ? 1 : 0;
  }
  CHECK(covered >= kTrials * 0.94);
  CHECK(covered < kTrials);
}

TEST_CASE("what could be seen follows from noise and numbers") {
  // data-profile: CV 12.5 % asks for 24.5 runs a side to see 10 %.
  CHECK(*detectable_effect(0.125, 25, 25) == Approx(0.099).epsilon(0.01));
  CHECK(*detectable_effect(0.0, 3, 3) == 0.0);
}

TEST_CASE("robust variation is the coefficient of normal values") {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(50.0, 5.0);
  Values values;
  for (int i = 0; i < 4000; ++i) values.push_back(noise(random));
  CHECK(*robust_variation(values) == Approx(0.1).epsilon(0.05));
  CHECK_FALSE(robust_variation({0.0, 0.0}));
}

TEST_CASE("a change of level is found where it is") {
  const Values cliff = {240, 241, 239, 240, 242, 43, 42, 44, 43, 42};
  CHECK(change_point(cliff)->index == 5);
  CHECK(change_point(cliff)->p_value < 0.1);
  CHECK(change_point(Values(10, 7.0))->p_value == 1.0);
  CHECK(change_point({1, 9, 2, 8, 3, 7, 4, 6})->p_value > 0.5);
}

TEST_CASE("p-values are corrected for their number") {
  const auto corrected = holm({0.01, 0.04, 0.03});
  CHECK(corrected[0] == Approx(0.03));
  CHECK(corrected[1] == Approx(0.06));
  CHECK(corrected[2] == Approx(0.06));
  CHECK(holm({0.2})[0] == 0.2);
  CHECK(holm({0.9, 0.8})[0] == 1.0);
  const auto with_gap = holm({kNaN, 0.02, 0.5});
  CHECK(std::isnan(with_gap[0]));
  CHECK(with_gap[1] == Approx(0.04));
}
