// SPDX-License-Identifier: Apache-2.0
#include "workloads/quantile.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using cowbench::workloads::median;
using cowbench::workloads::percentile;
using Samples = std::vector<std::uint64_t>;

namespace {

Samples one_to(std::uint64_t last) {
  Samples samples;
  // Falling, so that a test also notices a missing sort.
  for (std::uint64_t value = last; value > 0; --value) samples.push_back(value);
  return samples;
}

}  // namespace

TEST_CASE("no samples have neither percentile nor median") {
  CHECK_FALSE(percentile(Samples{}, 99).has_value());
  CHECK_FALSE(median(Samples{}).has_value());
}

TEST_CASE("one sample is every percentile and the median") {
  CHECK(percentile(Samples{7}, 1) == 7u);
  CHECK(percentile(Samples{7}, 100) == 7u);
  CHECK(median(Samples{7}) == 7.0);
}

TEST_CASE("two samples split at fifty per cent") {
  CHECK(percentile(Samples{9, 4}, 50) == 4u);
  CHECK(percentile(Samples{9, 4}, 50.1) == 9u);
  CHECK(median(Samples{9, 4}) == 6.5);
}

TEST_CASE("a percentile is the sample of nearest rank") {
  CHECK(percentile(one_to(100), 99) == 99u);
  CHECK(percentile(one_to(101), 99) == 100u);
  CHECK(percentile(one_to(20), 99) == 20u);
  CHECK(percentile(one_to(1000), 99.9) == 999u);
  CHECK(percentile(one_to(10000), 99.9) == 9990u);
}

TEST_CASE("percents out of range give minimum and maximum") {
  CHECK(percentile(one_to(5), 0) == 1u);
  CHECK(percentile(one_to(5), -3) == 1u);
  CHECK(percentile(one_to(5), 250) == 5u);
}

TEST_CASE("ties and outliers leave the median alone") {
  CHECK(median(Samples{3, 3, 3, 3, 1000000}) == 3.0);
  CHECK(median(std::vector<double>{1.5, -2.0, 8.0}) == 1.5);
}

TEST_CASE("the median of large samples does not overflow") {
  const std::uint64_t large = UINT64_MAX - 1;
  CHECK(median(Samples{large, large}) == Approx(1.8446744073709552e19));
}
