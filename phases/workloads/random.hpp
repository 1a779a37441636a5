// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cowbench::workloads {

// A small seeded generator (xoshiro256**, its state expanded from the seed by
// splitmix64). The same seed gives the same sequence on every machine and in
// every build: the standard library's distributions promise no such thing.
// Not for secrets. One instance belongs to one thread at a time.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // The next 64 random bits.
  std::uint64_t next();

  // Uniform in [0, bound), without the bias of a bare remainder.
  // A bound of 0 gives 0.
  std::uint64_t below(std::uint64_t bound);

  // Fills `bytes` bytes at `buffer` with incompressible data, the same on
  // machines of either byte order.
  void fill(void* buffer, std::size_t bytes);

  // Puts the elements into a random order (Fisher-Yates).
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      using std::swap;
      swap(items[left - 1], items[static_cast<std::size_t>(below(left))]);
    }
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace cowbench::workloads
