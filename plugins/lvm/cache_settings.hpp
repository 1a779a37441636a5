// SPDX-License-Identifier: Apache-2.0
// Settings of a cache by name, as lvconvert --cachesettings takes them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lvm/read_back.hpp"

namespace cowbench::lvm {

using NamedSettings = std::map<std::string, std::string>;

// Of texts such as "a=1 b = 2" or "a=1,b=2"; of one that occurs twice the last.
NamedSettings named_settings(const std::vector<std::string>& texts);

// Those that the kernel has: of dm-cache all, of writecache those that it was
// given. A setting without a value is "1".
NamedSettings settings_in_effect(const Settings& settings,
                                 const ReadBack& found);

// Throws Error(COWBENCH_TOOL_FAILED) for the first that isn't as asked for.
void require_cache_settings(const Settings& settings,
                            const NamedSettings& in_effect);

// "a=1,b=2", or "none".
std::string settings_text(const NamedSettings& settings);

}  // namespace cowbench::lvm
