// SPDX-License-Identifier: Apache-2.0
#include "mdraid/level.hpp"

#include <algorithm>
#include <cstdlib>

namespace cowbench::mdraid {
namespace {

constexpr Level kLevels[] = {
    {"raid0", 2, 0, false, "raid0", nullptr},
    {"raid1", 2, 0, true, "raid1", nullptr},
    {"raid5", 3, 1, true, "raid456", "left-symmetric"},
    {"raid6", 4, 2, true, "raid456", "left-symmetric"},
    {"raid10", 2, 0, true, "raid10", "n2"},
};

}  // namespace

const Level* find_level(const std::string& name) {
  for (const Level& one : kLevels) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

std::string layout_in_words(const std::string& layout) {
  if (layout.size() == 2 && layout[1] >= '1' && layout[1] <= '9') {
    const char* const kind = layout[0] == 'n'   ? "near="
                             : layout[0] == 'f' ? "far="
                             : layout[0] == 'o' ? "offset="
                                                : nullptr;
    if (kind != nullptr) return kind + layout.substr(1);
  }
  // mdadm's short names.
  if (layout == "ls") return "left-symmetric";
  if (layout == "rs") return "right-symmetric";
  if (layout == "la") return "left-asymmetric";
  if (layout == "ra") return "right-asymmetric";
  return layout;
}

std::uint32_t copies_of(const std::string& layout) {
  const std::string words = layout_in_words(layout);
  const std::size_t equals = words.find('=');
  if (equals == std::string::npos) return 1;
  const int copies = std::atoi(words.c_str() + equals + 1);
  return static_cast<std::uint32_t>(std::max(copies, 1));
}

std::uint64_t capacity(const Level& level, const std::string& layout,
                       std::uint64_t devices, std::uint64_t member_bytes) {
  const std::string name = level.name;
  if (name == "raid1") return member_bytes;
  if (name == "raid10") return devices * member_bytes / copies_of(layout);
  return devices > level.parity ? (devices - level.parity) * member_bytes : 0;
}

}  // namespace cowbench::mdraid
