// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "sparse.hpp"

COWBENCH_PLUGINS(cowbench::SparsePhase);
