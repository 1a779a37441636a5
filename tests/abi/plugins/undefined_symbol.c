/* SPDX-License-Identifier: Apache-2.0 */
/* Calls what no library provides. */
#include "base.h"

void cowbench_no_such_function(void);

EXPORTED const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor,
                                                 const char** reason);
const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor,
                                        const char** reason) {
  (void)major;
  (void)minor;
  (void)reason;
  cowbench_no_such_function();
  return NULL;
}
