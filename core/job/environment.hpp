// SPDX-License-Identifier: Apache-2.0
// The machine a job runs on, as its result shows it.
#pragma once

#include "base/json.hpp"

namespace cowbench {

// Writes the `environment` object of core/result/README.md.
// `emulated`: its
// processors are imitated by a program, so that times say little.
void write_environment(JsonWriter& json, bool emulated);

}  // namespace cowbench
