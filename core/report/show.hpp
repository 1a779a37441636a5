// SPDX-License-Identifier: Apache-2.0
// Everything that one result says, as text.
#pragma once

#include <cstddef>
#include <string>

#include "result/document.hpp"

namespace cowbench {

// `width` as for summary_text().
std::string show_text(const ResultDocument& document, std::size_t width);

}  // namespace cowbench
