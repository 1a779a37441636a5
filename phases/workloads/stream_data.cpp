// SPDX-License-Identifier: Apache-2.0
#include "stream_data.hpp"

#include "random.hpp"

namespace cowbench::workloads {

namespace {

// Slices begin at multiples of 64 bytes, so that copying them costs the
// kernel no more than usual, and follow each other in steps that leave few
// blocks near each other alike.
constexpr std::uint64_t kPoolBytes = std::uint64_t{8} << 20;
constexpr std::uint64_t kSlices = kPoolBytes / 64;
constexpr std::uint64_t kStep = 75'431;  // odd, so coprime with kSlices

}  // namespace

StreamData::StreamData(std::uint64_t seed) : pool_(kPoolBytes + kBlockBytes) {
  Random(seed).fill(pool_.data(), pool_.size());
}

const char* StreamData::block(std::uint64_t index) const {
  return pool_.data() + index % kSlices * kStep % kSlices * 64;
}

}  // namespace cowbench::workloads
