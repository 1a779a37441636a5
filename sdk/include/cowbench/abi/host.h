/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runner offers to a plugin instance. One table per instance: its
 * `context` knows which layer or phase is calling, so configuration, state and
 * ledger entries of one instance never mix with another's.
 */
#ifndef COWBENCH_ABI_HOST_H
#define COWBENCH_ABI_HOST_H

#include <cowbench/abi/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A command: an argument vector, never a shell. It runs with LC_ALL=C, in a
 * process group of its own, with no standard input unless `input` is given,
 * and every run is recorded in the job's command trace.
 */
typedef struct cowbench_command {
  uint32_t struct_size;
  uint32_t input_bytes;           /* length of input; 0: /dev/null */
  const char* const* argv;        /* NULL-terminated; argv[0] found in PATH */
  const char* const* environment; /* "NAME=VALUE" additions, or NULL */
  const char* working_directory;  /* or NULL */
  const char* input;              /* bytes for standard input, or NULL */
  const char* output_path;        /* standard output into this file, or NULL:
                                     captured */
  uint64_t timeout_ns;            /* run() only; 0: what is left of the
                                     phase's limit, and a little more */
} cowbench_command;

/* How a command ended. The texts are borrowed until the next run() or wait()
 * of the same context; both are NUL-terminated. */
typedef struct cowbench_command_result {
  uint32_t struct_size;
  int32_t exit_status; /* -1 when a signal ended it */
  int32_t signal;      /* 0 when it exited */
  uint8_t timed_out;
  uint8_t stopped; /* ended because should_stop() turned true, or stop() */
  const char* out;
  uint64_t out_bytes;
  const char* err;
  uint64_t err_bytes;
  uint64_t duration_ns;
} cowbench_command_result;

/*
 * A system object that the plugin is about to make by other means than the
 * host's own calls: an array, a mapping, a pool. It must be in the ledger
 * before it exists, so that a killed run can be undone without the plugin.
 */
typedef struct cowbench_object {
  uint32_t struct_size;
  const char* kind;          /* "pool", "mapping": for people */
  const char* identity;      /* unique name on this machine */
  const char* const* exists; /* argv; exit status 0: it exists */
  const char* const* undo;   /* argv that removes it */
} cowbench_object;

/* Outcomes of a value; a value that is not `ok` says why. */
enum {
  COWBENCH_OUTCOME_OK = 0,
  COWBENCH_OUTCOME_NOT_APPLICABLE = 1, /* the stack has no such ability */
  COWBENCH_OUTCOME_NOT_AVAILABLE = 2,  /* something is missing here */
  COWBENCH_OUTCOME_NOT_REQUESTED = 3,
  COWBENCH_OUTCOME_WITHHELD = 4, /* measured, not trustworthy */
  COWBENCH_OUTCOME_FAILED = 5
};

enum {
  COWBENCH_HIGHER_IS_BETTER = 1,
  COWBENCH_LOWER_IS_BETTER = -1,
  COWBENCH_NEITHER_IS_BETTER = 0
};

/* A metric that a phase may emit. */
typedef struct cowbench_metric {
  uint32_t struct_size;
  int32_t better;          /* COWBENCH_HIGHER_IS_BETTER, ... */
  const char* key;         /* "seqwrite_mbps"; unique within a phase */
  const char* unit;        /* "MiB/s", "IOPS", "ms", "B", "ops" */
  const char* label;       /* a few words for a table */
  const char* definition;  /* one sentence: what the number is */
  uint32_t method_version; /* grows whenever numbers stop being comparable */
  uint32_t detail;         /* 1: not in the summary table */
} cowbench_metric;

/* One condition under which a value was measured, as texts. Frozen: it stands
 * in arrays, so it can never grow. */
typedef struct cowbench_condition {
  const char* key;
  const char* value;
} cowbench_condition;

/* A measured value, or the reason why there is none. */
typedef struct cowbench_value {
  uint32_t struct_size;
  int32_t outcome;       /* COWBENCH_OUTCOME_... */
  const char* key;       /* of a metric declared by this phase */
  const char* reason;    /* required unless ok */
  double value;          /* the figure; ignored unless ok or withheld */
  const double* samples; /* what it was condensed from, or NULL */
  uint32_t sample_count; /* length of samples */
  uint32_t condition_count;
  uint64_t observations; /* how many operations stand behind the figure;
                            0: sample_count, or 1 */
  const cowbench_condition* conditions;
} cowbench_value;

typedef struct cowbench_host {
  uint32_t struct_size;
  uint32_t reserved;
  void* context; /* first argument of every function below */

  /* Talking ------------------------------------------------------------ */

  /* Adds a line to the job's log. [any] */
  void (*log)(void* context, int32_t level, const char* text);
  /* States why the current call is about to return `status`. The host keeps
   * the text, puts the plugin's name in front, and shows it to the user. Last
   * call wins; but when a function of this table was what refused, the host
   * keeps its own reason behind the text. [control] */
  void (*fail)(void* context, cowbench_status status, const char* message);
  /* Adds one reason why the configuration cannot work or something is
   * missing; used by check() to give all reasons at once. [control] */
  void (*problem)(void* context, const char* message);
  /* 0..1 of the running phase, with what is going on. Thinned, and dropped
   * inside a section. [any] */
  void (*progress)(void* context, double fraction, const char* text);
  /* Non-zero once the user or the watchdog wants an end. Loops poll it. [any]
   */
  int32_t (*should_stop)(void* context);

  /* Time ---------------------------------------------------------------- */

  /* Monotonic nanoseconds (CLOCK_MONOTONIC). [any] */
  uint64_t (*now_ns)(void* context);
  /* What is left of the phase's time limit. [any] */
  uint64_t (*remaining_ns)(void* context);

  /* Configuration: the layer's keys of the stack file, or the phase's
   * settings; types, bounds and defaults already settled --------------- */

  /* 1 when the key has a value (given or default). [control] */
  int32_t (*has)(void* context, const char* key);
  /* TEXT, or any scalar as written. NULL when absent. [control] */
  const char* (*text)(void* context, const char* key);
  /* INTEGER, SIZE (bytes), DURATION (ns), BOOLEAN (0 or 1). 0 when absent. */
  int64_t (*integer)(void* context, const char* key);
  /* NUMBER, or an INTEGER widened. 0 when absent. */
  double (*number)(void* context, const char* key);
  /* Element `index` of a TEXT_LIST, NULL past its end. */
  const char* (*text_item)(void* context, const char* key, uint32_t index);
  /* The job's seed. Everything random derives from it. */
  uint64_t (*seed)(void* context);

  /* Devices and places --------------------------------------------------- */

  /* Layer: device `index` that it stands on, NULL past the last. Phase: member
   * of the stack. Borrowed while the instance lives. [control] */
  const cowbench_device* (*device)(void* context, uint32_t index);
  /* Where the stack's filesystem is or shall be mounted. Layers with
   * COWBENCH_OUTPUT_MOUNT mount there and nowhere else. [any] */
  const char* (*mount_point)(void* context);
  /* Phase: an empty directory of its own: on the tested filesystem, or for
   * COWBENCH_STAGE_BEFORE_STACK on the store that backs the members; then NULL
   * when they are real devices, which are the store themselves. [any] */
  const char* (*directory)(void* context);
  /* A directory of its own in memory (tmpfs), mode 0700. Phase: empty at the
   * start, gone at the end. Layer: lives as long as the job, the same in every
   * process, for key files; NULL while planning. [any] */
  const char* (*memory_directory)(void* context);
  /* Phase: a directory beside the result for raw tool output to keep. */
  const char* (*artifact_directory)(void* context);

  /* Commands -------------------------------------------------------------- */

  /* Runs a command to its end. COWBENCH_OK when it could be started, however
   * it ended; COWBENCH_NOT_AVAILABLE when the program is not there. [control]
   */
  cowbench_status (*run)(void* context, const cowbench_command* command,
                         cowbench_command_result* result);
  /* Starts a command in the background and answers a handle for the two calls
   * below. It is killed with the phase at the latest. [control] */
  cowbench_status (*start)(void* context, const cowbench_command* command,
                           uint64_t* process);
  /* Waits for it. COWBENCH_TIMEOUT when it still runs after timeout_ns; then
   * the handle stays good. [control] */
  cowbench_status (*wait)(void* context, uint64_t process, uint64_t timeout_ns,
                          cowbench_command_result* result);
  /* Ends it (SIGTERM, then SIGKILL) and waits. [control] */
  cowbench_status (*stop)(void* context, uint64_t process,
                          cowbench_command_result* result);
  /* Announces a command that assemble() would run; for plan(). [control] */
  void (*plan_command)(void* context, const char* const* argv);

  /* Objects and state ------------------------------------------------------ */

  /* Mounts `source` at `target` (NULL: the mount point), entered in the ledger
   * first and read back from the mount table. [control] */
  cowbench_status (*mount)(void* context, const char* source,
                           const char* target, const char* type,
                           const char* options);
  /* Unmounts, waits, reads back. Not mounted is success. [control] */
  cowbench_status (*unmount)(void* context, const char* target);
  /* Enters an object in the ledger, durably, and answers its ticket. Call it
   * before making the object. [control] */
  cowbench_status (*ledger_add)(void* context, const cowbench_object* object,
                                uint64_t* ticket);
  /* Strikes it off after the plugin has verified that it is gone. [control] */
  cowbench_status (*ledger_strike)(void* context, uint64_t ticket);
  /* The layer's state document: texts by key, kept by the core and handed to
   * every later instance of the same layer, in another process too. NULL
   * when absent. [control] */
  const char* (*state)(void* context, const char* key);
  cowbench_status (*set_state)(void* context, const char* key,
                               const char* value);
  /* Layer with COWBENCH_OUTPUT_DEVICES: adds a device that it now offers.
   * `source_index` is the device it stands on, or UINT32_MAX for all. */
  cowbench_status (*add_output)(void* context, const char* path,
                                uint64_t size_bytes, uint32_t source_index);

  /* Facts for the result ----------------------------------------------------
   */

  /* A parameter in effect, as read back from the system. [control] */
  void (*effective)(void* context, const char* key, const char* value);
  /* The version of a tool or module that takes part. [control] */
  void (*version)(void* context, const char* component, const char* version);

  /* Measuring (phases) -------------------------------------------------------
   */

  /* Flushes the tested filesystem (syncfs on it, nothing else). [control] */
  cowbench_status (*sync)(void* context);
  /* Flushes it, then waits until no member has I/O in flight or written
   * anything for a while. Its time is reported apart. COWBENCH_TIMEOUT when
   * the members do not come to rest; the caller may go on, and the result says
   * so. Call it before every section. [control] */
  cowbench_status (*quiesce)(void* context);
  /* Empties every cache of the tested filesystem (deactivates and activates
   * the stack) and asks for the backing cache to be dropped. Open descriptors
   * on the filesystem must be closed. [control] */
  cowbench_status (*make_cold)(void* context);
  /* Least number of bytes that the members must read so that a cold pass over
   * the metadata of `entries` entries counts as proven: what the backend
   * declares, at least 1. with_inodes: names only (0) or inodes too (1). */
  uint64_t (*cold_metadata_bytes)(void* context, uint64_t entries,
                                  uint8_t with_inodes);
  /* Opens a timed section: nothing is sent or written by the runner until it
   * closes. Sections do not nest. [control] */
  cowbench_status (*section_begin)(void* context, const char* name);
  /* Closes it; `io` (may be NULL) receives what the members did meanwhile. */
  cowbench_status (*section_end)(void* context, cowbench_io* io);
  /* Counters of member `index`, or the sum for UINT32_MAX. [control] */
  cowbench_status (*member_io)(void* context, uint32_t index, cowbench_io* io);
  /* Declares a metric that is known only at run time. [control] */
  cowbench_status (*declare_metric)(void* context,
                                    const cowbench_metric* metric);
  /* Emits a value; one per key. Not inside a section. [control] */
  cowbench_status (*emit)(void* context, const cowbench_value* value);
  /* Marks the whole job, for example "weak host". end_job: skip the remaining
   * phases and tear down. [control] */
  void (*mark)(void* context, const char* name, const char* reason,
               uint8_t end_job);
  /* Finds an ability, asking the layers from the top down. On COWBENCH_OK
   * `table` and `self` go together. Otherwise `reason` (borrowed) says why the
   * stack has none. [control] */
  cowbench_status (*ability)(void* context, const char* ability_id,
                             const void** table, void** self,
                             const char** reason);

  /* Growth: further host services by id, NULL when unknown. [any] */
  const void* (*service)(void* context, const char* service_id);

  /* Since 0.2 */

  /* Layer: a name for the objects that it makes (arrays, groups, pools,
   * mappings): unique to this layer of this job, the same in every process of
   * the job; at most 31 of a-z, 0-9 and "-", beginning with a letter. [any] */
  const char* (*object_name)(void* context);
} cowbench_host;

#ifdef __cplusplus
}
#endif
#endif
