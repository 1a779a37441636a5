/* SPDX-License-Identifier: Apache-2.0 */
/* One good phase among plugins with malformed ids, options and metrics. */
#include "base.h"

static const cowbench_phase kGood = BASE_PHASE;
BASE_INTERFACE(good, COWBENCH_PHASE_ID, kGood)

#define OPTION(option_type, option_key, fallback)                \
  {                                                              \
    .struct_size = sizeof(cowbench_option), .type = option_type, \
    .key = option_key, .default_value = fallback, .summary = "x" \
  }
static const cowbench_option kOptions[] = {
    OPTION(COWBENCH_TYPE_SIZE, "size", "big"),
    OPTION(COWBENCH_TYPE_INTEGER, "count", "1"),
    OPTION(COWBENCH_TYPE_INTEGER, "count", "2"),
    OPTION(COWBENCH_TYPE_TEXT, "Upper-Case", NULL),
    OPTION(77, "novel", NULL),
};
static const cowbench_option* option(uint32_t index) {
  return index < 5 ? &kOptions[index] : NULL;
}
static const cowbench_phase kOptional = {.struct_size = sizeof(cowbench_phase),
                                         .metric = no_metric,
                                         .option = option,
                                         .create = create,
                                         .destroy = destroy,
                                         .estimate = estimate,
                                         .run = succeed};
BASE_INTERFACE(with_options, COWBENCH_PHASE_ID, kOptional)

static const cowbench_metric kMetric = {
    .struct_size = sizeof(cowbench_metric), .better = 5, .key = "speed"};
static const cowbench_metric* metric(uint32_t index) {
  return index < 2 ? &kMetric : NULL;
}
static const cowbench_phase kMeasured = {.struct_size = sizeof(cowbench_phase),
                                         .stage = 9,
                                         .metric = metric,
                                         .option = no_option,
                                         .create = create,
                                         .destroy = destroy,
                                         .estimate = estimate,
                                         .run = succeed};
BASE_INTERFACE(with_metrics, COWBENCH_PHASE_ID, kMeasured)

static const cowbench_layer kLayer = {.struct_size = sizeof(cowbench_layer),
                                      .output = 4,
                                      .minimum_devices = 3,
                                      .maximum_devices = 2,
                                      .option = no_option,
                                      .create = create,
                                      .destroy = destroy,
                                      .assemble = succeed,
                                      .disassemble = succeed,
                                      .deactivate = succeed,
                                      .activate = succeed};
BASE_INTERFACE(odd_layer, COWBENCH_LAYER_ID, kLayer)

static const void* both(const char* id) {
  const void* layer = odd_layer(id);
  return layer != NULL ? layer : good(id);
}
static const cowbench_option* endless_option(uint32_t index) {
  (void)index;
  return &kOptions[1];
}
static const cowbench_phase kEndless = {.struct_size = sizeof(cowbench_phase),
                                        .metric = no_metric,
                                        .option = endless_option,
                                        .create = create,
                                        .destroy = destroy,
                                        .estimate = estimate,
                                        .run = succeed};
BASE_INTERFACE(endless, COWBENCH_PHASE_ID, kEndless)

static const cowbench_plugin kPlugins[] = {
    BASE_PLUGIN("org.example.words", "words", good),
    BASE_PLUGIN("nodots", "Bad Name", good),
    BASE_PLUGIN("org.example.options", "options", with_options),
    BASE_PLUGIN("org.example.metrics", "metrics", with_metrics),
    BASE_PLUGIN("org.example.odd", "odd", odd_layer),
    BASE_PLUGIN("org.example.both", "both", both),
    {.struct_size = sizeof(cowbench_plugin),
     .id = "org.example.bare",
     .name = "bare",
     .interface = good},
    BASE_PLUGIN("org.example.endless", "endless", endless),
};
static const cowbench_plugin* list(uint32_t index) {
  return index < 8 ? &kPlugins[index] : NULL;
}
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
