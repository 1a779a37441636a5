/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cowbench plugin ABI: the words that every other header uses.
 *
 * These C headers are the only binary contract between the runner and a
 * plugin. Authors normally write C++ against <cowbench/layer.hpp> or
 * <cowbench/phase.hpp>, which stand on this.
 *
 * The promise
 *   While COWBENCH_ABI_MAJOR is 0 the runner loads only plugins built for
 *   exactly its major.minor. From 1.0 on: a plugin built against N.x loads and
 *   works, unmodified, in every runner that supports N.y with y >= x.
 *
 * Conventions that hold in all headers
 *   1. Every table and argument struct starts with `struct_size`, the writer's
 *      sizeof. A reader copies the smaller of both sizes into a zeroed local:
 *      a missing tail reads as absent, a longer tail is ignored.
 *   2. Fields are only ever appended. Retired ones stay and are said to be
 *      dead.
 *   3. Only fixed-width integers, double, const char* (UTF-8, NUL-terminated),
 *      opaque pointers and function pointers cross. Booleans are uint8_t,
 *      enumerations int32_t; an unknown value must be treated as "something
 *      newer". Units are in the names: _bytes, _ns.
 *   4. Whoever allocates frees. Arguments are borrowed for the call. A string
 *      that a plugin returns from its static description lives as long as the
 *      library; a string that the host returns is borrowed until the next call
 *      of the same host function on the same context, unless said otherwise.
 *   5. Each fallible function returns a cowbench_status. A plugin reports the
 *      reason through host->fail() before it returns anything but
 *      COWBENCH_OK.
 *   6. No exception crosses, either way.
 *   7. Thread tags. [load]: right after loading, no host exists yet; must not
 *      allocate, print, start threads, read files or run commands.
 *      [control]: by the one thread that drives the instance. [any]: from any
 *      thread.
 *   8. A plugin does not call exit, abort, setlocale, chdir, umask or setenv,
 *      installs no signal handlers and writes nothing to standard output.
 */
#ifndef COWBENCH_ABI_TYPES_H
#define COWBENCH_ABI_TYPES_H

#include <stdint.h>

#define COWBENCH_ABI_MAJOR 0
#define COWBENCH_ABI_MINOR 2

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. */
typedef int32_t cowbench_status;
enum {
  COWBENCH_OK = 0,
  COWBENCH_UNSUPPORTED = 1,   /* this layout or plugin cannot do that */
  COWBENCH_NOT_AVAILABLE = 2, /* a tool, module or permission is missing */
  COWBENCH_BAD_CONFIG = 3,    /* the configuration is contradictory */
  COWBENCH_TOOL_FAILED = 4,   /* a command or system call refused */
  COWBENCH_TIMEOUT = 5,
  COWBENCH_CANCELLED = 6, /* should_stop() said so */
  COWBENCH_NO_SPACE = 7,
  COWBENCH_DEVICE_LOST = 8, /* a member answered with an I/O error */
  COWBENCH_INTERNAL = 9     /* a bug: an exception, a broken promise */
};

/* Log levels. */
enum {
  COWBENCH_LOG_DEBUG = 0,
  COWBENCH_LOG_INFO = 1,
  COWBENCH_LOG_WARNING = 2,
  COWBENCH_LOG_ERROR = 3
};

/* What values a configuration key takes. */
enum {
  COWBENCH_TYPE_TEXT = 0,
  COWBENCH_TYPE_BOOLEAN = 1,
  COWBENCH_TYPE_INTEGER = 2,  /* int64_t */
  COWBENCH_TYPE_NUMBER = 3,   /* double */
  COWBENCH_TYPE_SIZE = 4,     /* bytes; "64MiB" or a number */
  COWBENCH_TYPE_DURATION = 5, /* ns; "30s", "200ms"; a bare number: seconds */
  COWBENCH_TYPE_TEXT_LIST = 6 /* an array of texts */
};

/*
 * One configuration key: of a layer in a stack file, or of a phase in a
 * profile's settings. The core checks types and bounds before any instance
 * exists, and hands out the default where the user gave nothing.
 */
typedef struct cowbench_option {
  uint32_t struct_size;
  int32_t type;              /* COWBENCH_TYPE_... */
  const char* key;           /* lower case words joined by underscores */
  const char* default_value; /* as text, or NULL: the key may be absent */
  const char* summary;       /* one line; says why the default is what it is */
  const char* allowed;       /* "raid0|raid1|single", or NULL: anything */
  double minimum;            /* numeric types, in bytes for a size and ns for
                                a duration; both 0: unbounded */
  double maximum;            /* 0 over a positive minimum: unbounded above */
  uint8_t required;          /* the user must give it */
} cowbench_option;

/* What kind of thing a plugin needs on the machine. */
enum {
  COWBENCH_NEEDS_TOOL = 0,       /* a program found in PATH */
  COWBENCH_NEEDS_FILESYSTEM = 1, /* a name in /proc/filesystems, or loadable */
  COWBENCH_NEEDS_MODULE = 2      /* a kernel module, loaded or built in */
};

/* One thing that must be there for the plugin to work. */
typedef struct cowbench_requirement {
  uint32_t struct_size;
  int32_t kind;        /* COWBENCH_NEEDS_... */
  const char* name;    /* "mkfs.foo" */
  const char* package; /* the Debian package that brings it, or NULL */
} cowbench_requirement;

/*
 * One block device handed to a layer, or a member of the stack. Borrowed from
 * the host and constant while the instance lives.
 */
typedef struct cowbench_device {
  uint32_t struct_size;
  uint32_t index;      /* position within its group, from 0 */
  const char* path;    /* "/dev/loop3"; in a plan, a placeholder */
  const char* group;   /* "data", "spare", ... */
  uint64_t size_bytes; /* the layer must not use more */
  uint8_t known_blank; /* freshly made or wiped by the core */
  uint8_t rotational;
} cowbench_device;

/* I/O counters of one member, or the sum over several. All only grow. */
typedef struct cowbench_io {
  uint32_t struct_size;
  uint32_t members; /* how many devices are summed here */
  uint64_t read_ops;
  uint64_t read_bytes;
  uint64_t write_ops;
  uint64_t write_bytes;
  uint64_t discard_ops;
  uint64_t discard_bytes;
  uint64_t flush_ops;
  uint64_t busy_ns;
} cowbench_io;

#ifdef __cplusplus
}
#endif
#endif
