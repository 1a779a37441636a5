// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace cowbench::calibration {

// `steps` steps of splitmix64's finaliser, each fed by the one before, all in
// registers. The result depends on every step.
std::uint64_t mix_chain(std::uint64_t start, std::uint64_t steps);

// memcpy of `bytes` bytes, kept from being optimised away.
void copy_block(void* to, const void* from, std::size_t bytes);

}  // namespace cowbench::calibration
