// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "zfs/zfs.hpp"
#include "zfs/zvol.hpp"

COWBENCH_PLUGINS(cowbench::zfs::Zfs, cowbench::zfs::Zvol);
