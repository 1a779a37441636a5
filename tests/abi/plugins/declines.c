/* SPDX-License-Identifier: Apache-2.0 */
/* Answers no table, and says why. */
#include "base.h"

EXPORTED const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor,
                                                 const char** reason);
const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor,
                                        const char** reason) {
  (void)major;
  (void)minor;
  *reason = "it needs a host with observers";
  return NULL;
}
