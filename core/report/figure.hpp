// SPDX-License-Identifier: Apache-2.0
// Numbers as reports print them, whatever the locale.
#pragma once

#include <string>

namespace cowbench {

// Three significant digits, more only before the point: "0.0123", "4.25",
// "81.5", "20000". Whole numbers stay whole.
std::string rounded_figure(double value);

// The shortest text that reads back as the same number.
std::string exact_figure(double value);

// A share of one as per cent: 0.0214 is "2.1 %".
std::string percentage(double share);

}  // namespace cowbench
