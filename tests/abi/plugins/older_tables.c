/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built when the tables were shorter: the memory behind each really ends
 * where the table does, so a reader that trusts its own sizeof is caught.
 */
#include "base.h"

typedef struct old_option {
  uint32_t struct_size;
  int32_t type;
  const char* key;
  const char* default_value;
  const char* summary;
} old_option;
static const old_option kOption = {sizeof(old_option), COWBENCH_TYPE_INTEGER,
                                   "depth", "3", "As deep as it was then"};
static const cowbench_option* option(uint32_t index) {
  return index == 0 ? (const cowbench_option*)&kOption : NULL;
}

typedef struct old_layer {
  uint32_t struct_size;
  int32_t output;
  uint32_t minimum_devices;
  uint32_t maximum_devices;
  const cowbench_option* (*option)(uint32_t index);
  const cowbench_requirement* (*requirement)(uint32_t index);
  cowbench_status (*create)(const cowbench_host* host, void** self);
  void (*destroy)(void* self);
  cowbench_status (*check)(void* self);
  cowbench_status (*plan)(void* self);
  cowbench_status (*versions)(void* self);
  cowbench_status (*assemble)(void* self);
  cowbench_status (*disassemble)(void* self);
  cowbench_status (*deactivate)(void* self);
  cowbench_status (*activate)(void* self);
} old_layer;
static const old_layer kLayer = {
    .struct_size = sizeof(old_layer),
    .minimum_devices = 1,
    .option = option,
    .create = create,
    .destroy = destroy,
    .assemble = succeed,
    .disassemble = succeed,
    .deactivate = succeed,
    .activate = succeed,
};
BASE_INTERFACE(interface_of, COWBENCH_LAYER_ID, kLayer)

static const cowbench_plugin kPlugin =
    BASE_PLUGIN("org.example.older", "older", interface_of);
BASE_LIST(list, kPlugin)
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
