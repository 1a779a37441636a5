// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "ext4/ext4.hpp"

COWBENCH_PLUGINS(cowbench::ext4::Ext4);
