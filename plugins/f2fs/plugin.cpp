// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "f2fs/f2fs.hpp"

COWBENCH_PLUGINS(cowbench::f2fs::F2fs);
