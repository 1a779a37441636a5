// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "throughput/throughput.hpp"

COWBENCH_PLUGINS(cowbench::throughput::Throughput);
