// SPDX-License-Identifier: Apache-2.0
// Reading a plugin's size-prefixed structures, whatever their age.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cowbench {

// A complete T from what a plugin hands over: fields that its header did not
// have yet are zero, fields that ours does not know are left out. `table` is a
// structure of the ABI with struct_size in front; not null.
template <typename T>
T copy_table(const void* table) {
  std::uint32_t theirs = 0;
  std::memcpy(&theirs, table, sizeof theirs);
  T copy{};
  std::memcpy(&copy, table, std::min<std::size_t>(theirs, sizeof copy));
  return copy;
}

}  // namespace cowbench
