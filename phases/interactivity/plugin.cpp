// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "interactivity.hpp"

COWBENCH_PLUGINS(cowbench::InteractivityPhase);
