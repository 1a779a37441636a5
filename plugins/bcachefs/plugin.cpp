// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "bcachefs/bcachefs.hpp"

COWBENCH_PLUGINS(cowbench::bcachefs::Bcachefs);
