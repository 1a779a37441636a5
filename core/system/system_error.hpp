// SPDX-License-Identifier: Apache-2.0
// Turns an errno value into an Error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

// "No such file or directory"; thread safe.
std::string errno_text(int error);

// "<action> <subject>: <text of error>". The category follows the number: no
// space is kNoSpace, no permission and an absent driver are kNotAvailable, a
// vanished device is kDeviceLost, everything else is kToolFailed.
Error system_error(std::string_view action, std::string_view subject,
                   int error);

}  // namespace cowbench
