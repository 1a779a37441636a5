// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "source_tree.hpp"

COWBENCH_PLUGINS(cowbench::SourceTreePhase);
