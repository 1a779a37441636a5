// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "large_directory.hpp"

COWBENCH_PLUGINS(cowbench::LargeDirectoryPhase);
