// SPDX-License-Identifier: Apache-2.0
#include <cowbench/plugin.hpp>

#include "integrity/integrity.hpp"

COWBENCH_PLUGINS(cowbench::integrity::Integrity);
