// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "lvm/lvm.hpp"

COWBENCH_PLUGINS(cowbench::lvm::Lvm);
