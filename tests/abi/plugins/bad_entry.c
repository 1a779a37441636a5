/* SPDX-License-Identifier: Apache-2.0 */
/* An entry that never answers: it crashes, hangs or ends the process, as the
 * build says. */
#include <stdlib.h>
#include <unistd.h>

#include "base.h"

EXPORTED const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor,
                                                 const char** reason);
const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor,
                                        const char** reason) {
  (void)major;
  (void)minor;
  (void)reason;
#if defined(CRASH)
  *(volatile int*)4096 = 1;
#elif defined(HANG)
  for (;;) pause();
#else
  exit(3);
#endif
  return NULL;
}
