// SPDX-License-Identifier: Apache-2.0
// Text helpers that every message needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cowbench {

// The candidate closest to `name` by edit distance, or empty when none is
// close enough to be what was meant (distance over a third of the length).
std::string nearest_name(std::string_view name,
                         const std::vector<std::string>& candidates);

// " (did you mean \"x\"?)", or empty.
std::string did_you_mean(std::string_view name,
                         const std::vector<std::string>& candidates);

std::string join(const std::vector<std::string>& parts, std::string_view glue);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
// argv as a person would type it: quoted where a shell would need it.
std::string shell_quote(const std::vector<std::string>& argv);

}  // namespace cowbench
