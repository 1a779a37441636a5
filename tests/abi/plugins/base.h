/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A well-behaved plugin in plain C for the synthetic ones to deviate from:
 * callbacks that do nothing, and macros that fill whole tables.
 */
#ifndef COWBENCH_TESTS_ABI_BASE_H
#define COWBENCH_TESTS_ABI_BASE_H

#include <cowbench/abi/ability.h>
#include <cowbench/abi/plugin.h>
#include <string.h>

#define UNUSED __attribute__((unused))
#define EXPORTED __attribute__((visibility("default")))

static UNUSED const cowbench_option* no_option(uint32_t index) {
  (void)index;
  return NULL;
}
static UNUSED const cowbench_metric* no_metric(uint32_t index) {
  (void)index;
  return NULL;
}
static UNUSED cowbench_status create(const cowbench_host* host, void** self) {
  *self = (void*)host;
  return COWBENCH_OK;
}
static UNUSED void destroy(void* self) { (void)self; }
static UNUSED cowbench_status succeed(void* self) {
  (void)self;
  return COWBENCH_OK;
}
static UNUSED cowbench_status estimate(void* self, cowbench_estimate* out) {
  (void)self;
  out->written_bytes = 1;
  return COWBENCH_OK;
}

#define BASE_LAYER                                                          \
  {                                                                         \
    .struct_size = sizeof(cowbench_layer), .output = COWBENCH_OUTPUT_MOUNT, \
    .minimum_devices = 1, .option = no_option, .create = create,            \
    .destroy = destroy, .assemble = succeed, .disassemble = succeed,        \
    .deactivate = succeed, .activate = succeed, .verify = succeed           \
  }

#define BASE_PHASE                                              \
  {                                                             \
    .struct_size = sizeof(cowbench_phase), .metric = no_metric, \
    .option = no_option, .create = create, .destroy = destroy,  \
    .estimate = estimate, .run = succeed                        \
  }

#define BASE_PLUGIN(plugin_id, plugin_name, plugin_interface)               \
  {                                                                         \
    .struct_size = sizeof(cowbench_plugin), .id = plugin_id,                \
    .name = plugin_name, .version = "1.0", .summary = "Used by tests only", \
    .licence = "Apache-2.0", .interface = plugin_interface                  \
  }

/* Defines an interface function that answers one table for one id. */
#define BASE_INTERFACE(function, interface_id, table)     \
  static const void* function(const char* id) {           \
    return strcmp(id, interface_id) == 0 ? &table : NULL; \
  }

/* Defines the list `list` of one plugin. */
#define BASE_LIST(list, only)                          \
  static const cowbench_plugin* list(uint32_t index) { \
    return index == 0 ? &only : NULL;                  \
  }

#define BASE_ENTRY(list)                                                     \
  {                                                                          \
    .struct_size = sizeof(cowbench_entry), .abi_major = COWBENCH_ABI_MAJOR,  \
    .abi_minor = COWBENCH_ABI_MINOR, .sdk_version = "none", .compiler = "C", \
    .build_type = "test", .plugin = list                                     \
  }

/* Defines the exported function that answers `table`. */
#define BASE_EXPORT(table)                                                \
  EXPORTED const cowbench_entry* cowbench_entry_v0(                       \
      uint32_t major, uint32_t minor, const char** reason);               \
  const cowbench_entry* cowbench_entry_v0(uint32_t major, uint32_t minor, \
                                          const char** reason) {          \
    (void)major;                                                          \
    (void)minor;                                                          \
    (void)reason;                                                         \
    return &table;                                                        \
  }

#endif
