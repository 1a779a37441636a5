/* SPDX-License-Identifier: Apache-2.0 */
/* The entry is well; the crash sits in a list that is read later. */
#include "base.h"

static const cowbench_option* option(uint32_t index) {
  (void)index;
  return (const cowbench_option*)64;
}
static const cowbench_phase kPhase = {.struct_size = sizeof(cowbench_phase),
                                      .metric = no_metric,
                                      .option = option,
                                      .create = create,
                                      .destroy = destroy,
                                      .estimate = estimate,
                                      .run = succeed};
BASE_INTERFACE(interface_of, COWBENCH_PHASE_ID, kPhase)
static const cowbench_plugin kPlugin =
    BASE_PLUGIN("org.example.crash", "crash", interface_of);
BASE_LIST(list, kPlugin)
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
