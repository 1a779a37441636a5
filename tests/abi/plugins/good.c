/* SPDX-License-Identifier: Apache-2.0 */
/* A layer and a phase in one library, nothing wrong with either. */
#include "base.h"

static const cowbench_option kOptions[] = {
    {.struct_size = sizeof(cowbench_option),
     .type = COWBENCH_TYPE_SIZE,
     .key = "chunk",
     .default_value = "64KiB",
     .summary = "Because 64 KiB is what everybody uses",
     .minimum = 4096,
     .maximum = 1 << 20},
    {.struct_size = sizeof(cowbench_option),
     .type = COWBENCH_TYPE_TEXT,
     .key = "mode",
     .summary = "How",
     .allowed = "fast|safe",
     .required = 1},
};
static const cowbench_option* option(uint32_t index) {
  return index < 2 ? &kOptions[index] : NULL;
}
static const cowbench_requirement kTool = {
    .struct_size = sizeof(cowbench_requirement),
    .kind = COWBENCH_NEEDS_TOOL,
    .name = "mkfs.good",
    .package = "goodprogs"};
static const cowbench_requirement* requirement(uint32_t index) {
  return index == 0 ? &kTool : NULL;
}
static const cowbench_layer kLayer = {
    .struct_size = sizeof(cowbench_layer),
    .output = COWBENCH_OUTPUT_DEVICES,
    .minimum_devices = 2,
    .maximum_devices = 8,
    .option = option,
    .requirement = requirement,
    .create = create,
    .destroy = destroy,
    .assemble = succeed,
    .disassemble = succeed,
    .deactivate = succeed,
    .activate = succeed,
};
static cowbench_status usage(void* self, cowbench_usage* out) {
  (void)self;
  out->raw_bytes = 4096;
  return COWBENCH_OK;
}
static const cowbench_usage_ability kUsage = {
    {sizeof(cowbench_usage_ability), 0, succeed}, usage};
static const void* layer_interface(const char* id) {
  if (strcmp(id, COWBENCH_LAYER_ID) == 0) return &kLayer;
  return strcmp(id, COWBENCH_USAGE_ID) == 0 ? &kUsage : NULL;
}

static const cowbench_metric kMetric = {
    .struct_size = sizeof(cowbench_metric),
    .better = COWBENCH_LOWER_IS_BETTER,
    .key = "good_ms",
    .unit = "ms",
    .label = "Goodness",
    .definition = "How long it takes to be good.",
    .method_version = 3,
    .detail = 1};
static const cowbench_metric* metric(uint32_t index) {
  return index == 0 ? &kMetric : NULL;
}
static const char* ability(uint32_t index) {
  return index == 0 ? COWBENCH_REFLINK_ID : NULL;
}
static const cowbench_phase kPhase = {
    .struct_size = sizeof(cowbench_phase),
    .stage = COWBENCH_STAGE_BEFORE_STACK,
    .metric = metric,
    .option = option,
    .ability = ability,
    .create = create,
    .destroy = destroy,
    .estimate = estimate,
    .run = succeed,
};
BASE_INTERFACE(phase_interface, COWBENCH_PHASE_ID, kPhase)

static const cowbench_plugin kPlugins[] = {
    BASE_PLUGIN("org.example.good-layer", "good", layer_interface),
    BASE_PLUGIN("org.example.good-phase", "good", phase_interface),
};
static const cowbench_plugin* list(uint32_t index) {
  return index < 2 ? &kPlugins[index] : NULL;
}
static const cowbench_entry kEntry = BASE_ENTRY(list);
BASE_EXPORT(kEntry)
