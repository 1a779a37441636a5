// SPDX-License-Identifier: Apache-2.0
// The HTML report as text.
#pragma once

#include <string>
#include <string_view>

#include "report/page.hpp"

namespace cowbench {

// Everything that the page's scripts show, as JSON without any "<": it may
// stand inside a script element. Columns of numbers, a few digits each; series
// are packed as packed_series() says.
std::string page_data(const Page& page);

// A series in two characters for each place. Its JSON is [form, low, high,
// first, text]: `first` places are gaps, then each pair of characters of the
// alphabet A-Z a-z 0-9 + / is a number from 0 to 4094, the later character
// counting ones and the earlier 64s; "--" is a gap, and gaps at the end are
// left out. What it stands for is, by `form`:
//   0  low + number, exactly
//   1  low + (high - low) * number / 4094
//   2  low * (high / low) ^ (number / 4094)
// "0" for a series without values.
std::string packed_series(const std::vector<double>& series);

// The same facts as tables that need no scripts.
std::string page_tables(const Page& page);

// Text with nothing that HTML takes for markup, in elements and attributes.
std::string html_escaped(std::string_view text);

// Whether this program was built with the page's scripts. Without them the
// report is its tables.
bool page_has_scripts();

// The whole file. Needs no network and no other file.
std::string page_html(const Page& page);

// Made by the build (cmake -P page/build.cmake): the page around the data.
extern const bool kPageHasScripts;
extern const std::string_view kPageTemplate;

}  // namespace cowbench
