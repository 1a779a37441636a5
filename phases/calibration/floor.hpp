// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>

namespace cowbench::calibration {

// Runs the metadata loops of the other phases in host.memory_directory() and
// emits their times: how much of such a phase is the tool's.
void measure_floor(const Host& host);

}  // namespace cowbench::calibration
