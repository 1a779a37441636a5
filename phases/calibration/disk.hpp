// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fio/run.hpp"

namespace cowbench::calibration {

// Measure the filesystem of host.directory() and emit; they return the
// figure: MiB/s, IOPS. Their files are gone afterwards. Without a directory
// they write to the start of the stack's first device instead.
double measure_stream_write(const Host& host);
double measure_random_write(const Host& host);

}  // namespace cowbench::calibration
