/* SPDX-License-Identifier: Apache-2.0 */
/* Built for an ABI of another major: the entry's name says so. */
#include "base.h"

EXPORTED const void* cowbench_entry_v1(void);
const void* cowbench_entry_v1(void) { return NULL; }
