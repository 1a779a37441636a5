/* SPDX-License-Identifier: Apache-2.0 */
/* A library that offers nothing. */
#include "base.h"

static const cowbench_plugin* list(uint32_t index) {
  (void)index;
  return NULL;
}
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
