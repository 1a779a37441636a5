// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>

namespace cowbench::calibration {

// Measures the CPUs that this process may use, and memory, and emits.
void measure_processor(const Host& host);
void measure_memory(const Host& host);

}  // namespace cowbench::calibration
