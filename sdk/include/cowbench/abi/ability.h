/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Abilities: what a layer can do beyond being assembled. Each is a table of
 * its own, asked for by id through cowbench_plugin.interface, and every table
 * starts with supports(): a layer has an ability when it answers the table and
 * supports() says COWBENCH_OK for the configuration at hand. Otherwise the
 * text given to host->fail() becomes the reason of `not-applicable`.
 */
#ifndef COWBENCH_ABI_ABILITY_H
#define COWBENCH_ABI_ABILITY_H

#include <cowbench/abi/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The common head of every ability table. */
typedef struct cowbench_ability {
  uint32_t struct_size;
  uint32_t reserved;
  cowbench_status (*supports)(void* self); /* [control] */
} cowbench_ability;

/* Space, which has several truths at once. */
#define COWBENCH_USAGE_ID "cowbench.usage/0"
typedef struct cowbench_usage {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t raw_bytes; /* sum of the devices */
  uint64_t
      allocated_bytes;   /* raw bytes claimed by the filesystem's allocator */
  uint64_t used_bytes;   /* by data and metadata, as a user counts */
  uint64_t usable_bytes; /* still to be written, as a user counts; estimate */
  const char* source;    /* where the figures come from; static text */
} cowbench_usage;
typedef struct cowbench_usage_ability {
  cowbench_ability head;
  cowbench_status (*usage)(void* self, cowbench_usage* usage); /* [control] */
} cowbench_usage_ability;

/* Cold reads: how little a cold pass over metadata can possibly read. */
#define COWBENCH_COLD_ID "cowbench.cold/0"
typedef struct cowbench_cold_ability {
  cowbench_ability head;
  /* Bytes that `entries` directory entries occupy at least, on one copy;
   * with_inodes: the inodes too. Of several layers the least counts: one that
   * compresses what stands on it says how little of it there may be, UINT64_MAX
   * when it does not. [control] */
  uint64_t (*metadata_bytes)(void* self, uint64_t entries, uint8_t with_inodes);
} cowbench_cold_ability;

/* Files that share extents (FICLONE works). No call of its own: the ioctl is
 * the kernel's. */
#define COWBENCH_REFLINK_ID "cowbench.reflink/0"
typedef struct cowbench_reflink_ability {
  cowbench_ability head;
} cowbench_reflink_ability;

#ifdef __cplusplus
}
#endif
#endif
