// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "luks/luks.hpp"

COWBENCH_PLUGINS(cowbench::luks::Luks);
