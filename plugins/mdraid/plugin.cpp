// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "mdraid/mdraid.hpp"

COWBENCH_PLUGINS(cowbench::mdraid::Mdraid);
