/* SPDX-License-Identifier: Apache-2.0 */
/* Built for ABI 0.MINOR, given by the build. */
#include "base.h"

static const cowbench_phase kPhase = BASE_PHASE;
BASE_INTERFACE(interface_of, COWBENCH_PHASE_ID, kPhase)
static const cowbench_plugin kPlugin =
    BASE_PLUGIN("org.example.version", "version", interface_of);
BASE_LIST(list, kPlugin)
static const cowbench_entry kEntry = {.struct_size = sizeof(cowbench_entry),
                                      .abi_major = 0,
                                      .abi_minor = MINOR,
                                      .plugin = list};
BASE_EXPORT(kEntry)
