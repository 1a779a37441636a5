/* SPDX-License-Identifier: Apache-2.0 */
/* Built when the tables had grown by what this runner has never heard of. */
#include "base.h"

typedef struct new_phase {
  cowbench_phase known;
  cowbench_status (*later)(void* self);
  uint64_t still_later;
} new_phase;
static const new_phase kPhase = {.known = {.struct_size = sizeof(new_phase),
                                           .metric = no_metric,
                                           .option = no_option,
                                           .create = create,
                                           .destroy = destroy,
                                           .estimate = estimate,
                                           .run = succeed},
                                 .later = succeed,
                                 .still_later = 7};
BASE_INTERFACE(interface_of, COWBENCH_PHASE_ID, kPhase)

typedef struct new_plugin {
  cowbench_plugin known;
  const char* later;
} new_plugin;
static const new_plugin kPlugin = {{.struct_size = sizeof(new_plugin),
                                    .id = "org.example.newer",
                                    .name = "newer",
                                    .version = "2.0",
                                    .summary = "Used by tests only",
                                    .licence = "Apache-2.0",
                                    .interface = interface_of},
                                   "unheard of"};
BASE_LIST(list, kPlugin.known)

typedef struct new_entry {
  cowbench_entry known;
  void (*later)(void);
} new_entry;
static const new_entry kEntry = {{.struct_size = sizeof(new_entry),
                                  .abi_major = COWBENCH_ABI_MAJOR,
                                  .abi_minor = COWBENCH_ABI_MINOR,
                                  .plugin = list},
                                 NULL};
BASE_EXPORT(kEntry.known)
