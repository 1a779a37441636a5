/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A complete phase in plain C, against the tables themselves: how many times a
 * second a file can be renamed. What the C++ SDK does for its authors (fences,
 * structure sizes, reporting before returning) is done by hand here.
 */
#include <cowbench/abi/plugin.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cowbench_option kRenames = {
    .struct_size = sizeof(cowbench_option),
    .type = COWBENCH_TYPE_INTEGER,
    .key = "renames",
    .default_value = "20000",
    .summary = "Long enough for the clock, short enough for a quick look",
    .minimum = 1,
    .maximum = 1e9,
};

static const cowbench_metric kRate = {
    .struct_size = sizeof(cowbench_metric),
    .better = COWBENCH_HIGHER_IS_BETTER,
    .key = "rename_ops",
    .unit = "ops/s",
    .label = "Renames",
    .definition = "rename() calls a second, one file, within one directory.",
    .method_version = 1,
};

/* An instance: one phase of one job. */
typedef struct renamer {
  const cowbench_host* host;
  char names[2][4096];
} renamer;

static cowbench_status fail(const renamer* self, const char* call) {
  char message[5000];
  snprintf(message, sizeof message, "%s %s: %s", call, self->names[0],
           strerror(errno));
  self->host->fail(self->host->context, COWBENCH_TOOL_FAILED, message);
  return COWBENCH_TOOL_FAILED;
}

static cowbench_status create(const cowbench_host* host, void** self) {
  renamer* made = calloc(1, sizeof *made);
  if (made == NULL) {
    host->fail(host->context, COWBENCH_INTERNAL, "out of memory");
    return COWBENCH_INTERNAL;
  }
  made->host = host;
  *self = made;
  return COWBENCH_OK;
}

static void destroy(void* self) { free(self); }

static cowbench_status estimate(void* self, cowbench_estimate* out) {
  const renamer* this = self;
  const cowbench_host* host = this->host;
  const int64_t renames = host->integer(host->context, "renames");
  out->written_bytes = 0;
  out->peak_bytes = 4096;
  out->duration_ns = (uint64_t)renames * 10000;
  return COWBENCH_OK;
}

static cowbench_status prepare(renamer* self) {
  const cowbench_host* host = self->host;
  const char* directory = host->directory(host->context);
  snprintf(self->names[0], sizeof self->names[0], "%s/a", directory);
  snprintf(self->names[1], sizeof self->names[1], "%s/b", directory);
  const int fd = open(self->names[0], O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return fail(self, "open");
  close(fd);
  const cowbench_status status = host->quiesce(host->context);
  return status == COWBENCH_TIMEOUT ? COWBENCH_OK : status;
}

static cowbench_status run(void* self) {
  renamer* this = self;
  const cowbench_host* host = this->host;
  const int64_t renames = host->integer(host->context, "renames");
  cowbench_status status = prepare(this);
  if (status != COWBENCH_OK) return status;

  status = host->section_begin(host->context, "rename");
  if (status != COWBENCH_OK) return status;
  const uint64_t begin = host->now_ns(host->context);
  int64_t done = 0;
  while (done < renames && !host->should_stop(host->context)) {
    if (rename(this->names[done % 2], this->names[(done + 1) % 2]) != 0) {
      status = fail(this, "rename");
      break;
    }
    ++done;
  }
  const uint64_t spent = host->now_ns(host->context) - begin;
  const cowbench_status ended = host->section_end(host->context, NULL);
  if (status == COWBENCH_OK) status = ended;
  if (status != COWBENCH_OK) return status;
  if (done < renames) {
    host->fail(host->context, COWBENCH_CANCELLED, "stopped on request");
    return COWBENCH_CANCELLED;
  }

  const cowbench_value value = {
      .struct_size = sizeof value,
      .outcome = COWBENCH_OUTCOME_OK,
      .key = "rename_ops",
      .value = (double)done * 1e9 / (double)(spent == 0 ? 1 : spent),
      .observations = (uint64_t)done,
  };
  return host->emit(host->context, &value);
}

static const cowbench_metric* metric(uint32_t index) {
  return index == 0 ? &kRate : NULL;
}
static const cowbench_option* option(uint32_t index) {
  return index == 0 ? &kRenames : NULL;
}

static const cowbench_phase kPhase = {
    .struct_size = sizeof kPhase,
    .stage = COWBENCH_STAGE_ON_STACK,
    .metric = metric,
    .option = option,
    .create = create,
    .destroy = destroy,
    .estimate = estimate,
    .run = run,
};

static const void* interface(const char* interface_id) {
  return strcmp(interface_id, COWBENCH_PHASE_ID) == 0 ? &kPhase : NULL;
}

static const cowbench_plugin kPlugin = {
    .struct_size = sizeof kPlugin,
    .id = "org.example.rename",
    .name = "rename",
    .version = "1.0",
    .summary = "Times rename()",
    .licence = "Apache-2.0",
    .interface = interface,
};

static const cowbench_plugin* plugin(uint32_t index) {
  return index == 0 ? &kPlugin : NULL;
}

static const cowbench_entry kEntry = {
    .struct_size = sizeof kEntry,
    .abi_major = COWBENCH_ABI_MAJOR,
    .abi_minor = COWBENCH_ABI_MINOR,
    .sdk_version = "plain C",
    .compiler = __VERSION__,
    .build_type = "unknown",
    .plugin = plugin,
};

__attribute__((visibility("default"))) const cowbench_entry* cowbench_entry_v0(
    uint32_t host_major, uint32_t host_minor, const char** reason);

const cowbench_entry* cowbench_entry_v0(uint32_t host_major,
                                        uint32_t host_minor,
                                        const char** reason) {
  (void)host_major;
  (void)host_minor;
  (void)reason;
  return &kEntry;
}
