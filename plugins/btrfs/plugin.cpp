// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "btrfs/btrfs.hpp"

COWBENCH_PLUGINS(cowbench::btrfs::Btrfs);
