// SPDX-License-Identifier: Apache-2.0
// What a guest's serial console tells of how it ended. Pure.
#pragma once

#include <string>
#include <string_view>

namespace cowbench {

// What the kernel said when it panicked, without time and "Kernel panic";
// empty when it has not.
std::string panic_in(std::string_view console);

// What the guest's own start-up scripts complained of last; empty: nothing.
std::string init_complaint_in(std::string_view console);

// The last lines that are not blank, at most `count`, joined with " | ";
// control characters are taken out.
std::string last_lines(std::string_view console, std::size_t count);

}  // namespace cowbench
