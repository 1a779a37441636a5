/* SPDX-License-Identifier: Apache-2.0 */
/* A library whose list of plugins never ends, and never changes. */
#include "base.h"

static const cowbench_phase kPhase = BASE_PHASE;
BASE_INTERFACE(interface_of, COWBENCH_PHASE_ID, kPhase)
static const cowbench_plugin kPlugin =
    BASE_PLUGIN("org.example.endless", "endless", interface_of);
static const cowbench_plugin* list(uint32_t index) {
  (void)index;
  return &kPlugin;
}
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
