/* SPDX-License-Identifier: Apache-2.0 */
/* A layer and a phase without callbacks that they must have, and an ability
 * whose table is empty. */
#include "base.h"

static const cowbench_layer kLayer = {.struct_size = sizeof(cowbench_layer),
                                      .minimum_devices = 1,
                                      .option = no_option,
                                      .create = create,
                                      .destroy = destroy,
                                      .disassemble = succeed,
                                      .deactivate = succeed};
BASE_INTERFACE(layer_interface, COWBENCH_LAYER_ID, kLayer)

static const cowbench_phase kPhase = {.struct_size = sizeof(cowbench_phase),
                                      .metric = no_metric,
                                      .option = no_option,
                                      .create = create,
                                      .destroy = destroy,
                                      .estimate = estimate};
BASE_INTERFACE(phase_interface, COWBENCH_PHASE_ID, kPhase)

static const cowbench_layer kWhole = BASE_LAYER;
static const cowbench_usage_ability kUsage = {
    {sizeof(cowbench_usage_ability), 0, NULL}, NULL};
static const void* ability_interface(const char* id) {
  if (strcmp(id, COWBENCH_LAYER_ID) == 0) return &kWhole;
  return strcmp(id, COWBENCH_USAGE_ID) == 0 ? &kUsage : NULL;
}

static const cowbench_plugin kPlugins[] = {
    BASE_PLUGIN("org.example.no-assemble", "no-assemble", layer_interface),
    BASE_PLUGIN("org.example.no-run", "no-run", phase_interface),
    BASE_PLUGIN("org.example.no-usage", "no-usage", ability_interface),
    BASE_PLUGIN("org.example.no-interface", "no-interface", NULL),
};
static const cowbench_plugin* list(uint32_t index) {
  return index < 4 ? &kPlugins[index] : NULL;
}
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
