// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace cowbench {

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325U;

// FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo; RFC 9923): for names
// and keys, not against people who want two texts to collide. `from` goes on
// where another text ended.
constexpr std::uint64_t fnv1a(std::string_view text,
                              std::uint64_t from = kFnvOffset) {
  for (const char c : text) {
    from = (from ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return from;
}

}  // namespace cowbench
