// SPDX-License-Identifier: Apache-2.0
#include "random.hpp"

#include <endian.h>

#include <cstring>

namespace cowbench::workloads {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

std::uint64_t rotate_left(std::uint64_t value, unsigned bits) {
  return (value << bits) | (value >> (64 - bits));
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (auto& word : state_) word = splitmix64(seed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  if (bound == 0) return 0;
  // 2^64 mod bound: values under it would make some remainders likelier.
  const std::uint64_t biased = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < biased) drawn = next();
  return drawn % bound;
}

void Random::fill(void* buffer, std::size_t bytes) {
  auto* out = static_cast<unsigned char*>(buffer);
  while (bytes > 0) {
    const std::uint64_t word = htole64(next());
    const std::size_t part = bytes < sizeof word ? bytes : sizeof word;
    std::memcpy(out, &word, part);
    out += part;
    bytes -= part;
  }
}

}  // namespace cowbench::workloads
