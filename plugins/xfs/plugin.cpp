// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "xfs/xfs.hpp"

COWBENCH_PLUGINS(cowbench::xfs::Xfs);
