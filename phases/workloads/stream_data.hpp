// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace cowbench::workloads {

// Incompressible data for streams, in blocks of 1 MiB that cost nothing to
// get: each is a slice of one pool made from the seed, and no two of the
// first 131,072 are the same slice. Const functions: any thread.
class StreamData {
 public:
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 20;

  explicit StreamData(std::uint64_t seed);

  // Block `index` of the stream; it lives as long as this object.
  const char* block(std::uint64_t index) const;

 private:
  std::vector<char> pool_;
};

}  // namespace cowbench::workloads
