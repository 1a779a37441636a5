// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "calibration/calibration.hpp"

COWBENCH_PLUGINS(cowbench::calibration::Calibration);
