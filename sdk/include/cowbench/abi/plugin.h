/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry of a plugin library, and the two kinds of plugins.
 *
 * A library exports one function, cowbench_entry_v0. The runner reads the ELF
 * symbol table before loading, so a library without it is never loaded.
 */
#ifndef COWBENCH_ABI_PLUGIN_H
#define COWBENCH_ABI_PLUGIN_H

#include <cowbench/abi/host.h>
#include <cowbench/abi/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every instance of a plugin. */
typedef struct cowbench_plugin {
  uint32_t struct_size;
  uint32_t reserved;
  const char* id;        /* reverse domain, unique: "org.cowbench.ext4" */
  const char* name;      /* what stack files and profiles say: "ext4" */
  const char* version;   /* of the plugin */
  const char* summary;   /* one line */
  const char* licence;   /* SPDX expression */
  const char* home_page; /* or NULL */
  /* Answers the table for an interface id, or NULL when the plugin does not
   * offer it. The kind is the interface: a plugin that answers
   * COWBENCH_LAYER_ID is a layer. Abilities (abi/ability.h) are asked for the
   * same way, and so will kinds be that do not exist yet. Tables live as long
   * as the library. [load] */
  const void* (*interface)(const char* interface_id);
} cowbench_plugin;

/* Layers ------------------------------------------------------------------- */

#define COWBENCH_LAYER_ID "cowbench.layer/0"

enum {
  COWBENCH_OUTPUT_MOUNT = 0,  /* ends a stack in a mounted filesystem */
  COWBENCH_OUTPUT_DEVICES = 1 /* gives block devices */
};

/*
 * A backend: one step of a stack. Takes block devices, gives block devices or
 * a mounted filesystem. Keeps no hidden state: what a later process needs is
 * in the state document. Functions marked (optional) may be NULL.
 */
typedef struct cowbench_layer {
  uint32_t struct_size;
  int32_t output;           /* COWBENCH_OUTPUT_... */
  uint32_t minimum_devices; /* that it must stand on; checked by the core */
  uint32_t maximum_devices; /* 0: any number */
  /* Key `index` of this layer in a stack file; NULL past the last. [load] */
  const cowbench_option* (*option)(uint32_t index);
  /* Need `index`; NULL past the last. (optional) [load] */
  const cowbench_requirement* (*requirement)(uint32_t index);

  /* Makes an instance. `host` stays valid until destroy returns. Must do
   * nothing to the system. [control] */
  cowbench_status (*create)(const cowbench_host* host, void** self);
  void (*destroy)(void* self);

  /* Reports through host->problem() whatever makes the configuration
   * impossible, all of it. Devices may not exist yet. (optional) [control] */
  cowbench_status (*check)(void* self);
  /* Announces the commands that assemble() would run. (optional) */
  cowbench_status (*plan)(void* self);
  /* Reports versions of its tools and module through host->version().
   * (optional) */
  cowbench_status (*versions)(void* self);
  /* Makes the layer on its devices and brings it up: add_output() for each
   * device, or mounted at the mount point. Reads back what was asked for,
   * reports it through host->effective() and fails when a requested parameter
   * is not in effect. */
  cowbench_status (*assemble)(void* self);
  /* Takes it down for good. Also called on what a failed assemble() left. */
  cowbench_status (*disassemble)(void* self);
  /* Stops it without destroying anything: caches of the layer are empty
   * afterwards, its devices free. */
  cowbench_status (*deactivate)(void* self);
  /* Brings it back as assemble() left it. */
  cowbench_status (*activate)(void* self);
  /* COWBENCH_OK when what is up is what assemble() made. Called before each
   * phase, after the core's own look at the mount table. (optional) */
  cowbench_status (*verify)(void* self);
} cowbench_layer;

/* Phases ------------------------------------------------------------------- */

#define COWBENCH_PHASE_ID "cowbench.phase/0"

enum {
  COWBENCH_STAGE_ON_STACK = 0,
  COWBENCH_STAGE_BEFORE_STACK = 1 /* members exist, no layer does */
};

/* What a phase will do, for the plan and for the check of space. */
typedef struct cowbench_estimate {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t written_bytes; /* by the workload, in all */
  uint64_t peak_bytes;    /* most that it keeps on the filesystem at a time */
  uint64_t duration_ns;   /* a guess for an ordinary machine */
} cowbench_estimate;

/* A workload that emits values of metrics. */
typedef struct cowbench_phase {
  uint32_t struct_size;
  int32_t stage; /* COWBENCH_STAGE_... */
  /* Metric, setting, need `index`; NULL past the last. [load] */
  const cowbench_metric* (*metric)(uint32_t index);
  const cowbench_option* (*option)(uint32_t index);
  const cowbench_requirement* (*requirement)(uint32_t index); /* optional */
  /* Ability ids that the phase cannot do without; the core answers
   * not-applicable for a stack that lacks one. (optional) [load] */
  const char* (*ability)(uint32_t index);

  /* Makes an instance. `host` stays valid until destroy returns. [control] */
  cowbench_status (*create)(const cowbench_host* host, void** self);
  void (*destroy)(void* self);
  /* From the settings alone; nothing exists yet. [control] */
  cowbench_status (*estimate)(void* self, cowbench_estimate* estimate);
  /* Reports versions of its tools. (optional) */
  cowbench_status (*versions)(void* self);
  /* Does the work and emits every metric it declared, if only with an outcome
   * and a reason. What it leaves in its directory the core removes. */
  cowbench_status (*run)(void* self);
} cowbench_phase;

/* Entry -------------------------------------------------------------------- */

typedef struct cowbench_entry {
  uint32_t struct_size;
  uint32_t abi_major; /* COWBENCH_ABI_MAJOR, _MINOR that it was built with */
  uint32_t abi_minor;
  uint32_t reserved;
  const char* sdk_version;
  const char* compiler;   /* for diagnosis */
  const char* build_type; /* for diagnosis */
  /* Plugin `index` of this library; NULL past the last. [load] */
  const cowbench_plugin* (*plugin)(uint32_t index);
} cowbench_entry;

/*
 * The one exported function. Answers the static entry table, or NULL with
 * `reason` (static text) when it cannot work with such a host. [load]
 */
typedef const cowbench_entry* (*cowbench_entry_function)(uint32_t host_major,
                                                         uint32_t host_minor,
                                                         const char** reason);
#define COWBENCH_ENTRY_SYMBOL "cowbench_entry_v0"

#ifdef __cplusplus
}
#endif
#endif
