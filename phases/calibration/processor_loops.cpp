// SPDX-License-Identifier: Apache-2.0
#include "calibration/processor_loops.hpp"

#include <cstring>

namespace cowbench::calibration {

std::uint64_t mix_chain(std::uint64_t start, std::uint64_t steps) {
  std::uint64_t value = start;
  for (std::uint64_t i = 0; i < steps; ++i) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    value = (value ^ (value >> 31)) + 0x9e3779b97f4a7c15U;
  }
  return value;
}

void copy_block(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  asm volatile("" : : "r"(to) : "memory");
}

}  // namespace cowbench::calibration
