// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>

namespace cowbench::bcachefs {

// A kernel built without erasure coding takes the option, shows it as set and
// keeps plain copies. So this writes `bytes` to a file on the mounted
// filesystem, waits until the kernel has made stripes of them, and removes the
// file. Answers the stripes, "2/4" for two blocks of data in four. Throws
// Error(COWBENCH_NOT_AVAILABLE) when none come into being; `versions` is for
// its text.
std::string prove_erasure_coding(const Host& host, std::uint64_t bytes,
                                 const std::string& versions);

}  // namespace cowbench::bcachefs
