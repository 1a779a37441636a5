/* SPDX-License-Identifier: Apache-2.0 */
/* A phase whose id and name the build gives. */
#include "base.h"

static const cowbench_phase kPhase = BASE_PHASE;
BASE_INTERFACE(interface_of, COWBENCH_PHASE_ID, kPhase)
static const cowbench_plugin kPlugin = BASE_PLUGIN(ID, NAME, interface_of);
BASE_LIST(list, kPlugin)
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
