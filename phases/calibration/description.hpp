// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::calibration {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_SIZE, "file_size", "1GiB",
           "Size of the file that is streamed; 1 GiB as published.", 1048576,
           1099511627776.0),
    option(COWBENCH_TYPE_SIZE, "random_size", "256MiB",
           "Size of the file that random writes go to; 256 MiB as published.",
           1048576, 1099511627776.0),
    option(COWBENCH_TYPE_DURATION, "runtime", "15s",
           "Time of the random writes; 15 s as published.", 1e9, 3600e9),
    option(COWBENCH_TYPE_INTEGER, "tree_files", "20000",
           "Files of the source tree on tmpfs; as many as the source-tree "
           "phase makes by default.",
           1, 10000000),
    option(COWBENCH_TYPE_INTEGER, "tree_directories", "200",
           "Directories of that tree, as above.", 1, 1000000),
    option(COWBENCH_TYPE_INTEGER, "directory_files", "100000",
           "Files of the large directory on tmpfs; as many as the "
           "large-directory phase makes by default.",
           1, 10000000),
    option(COWBENCH_TYPE_NUMBER, "floor_seqwrite_mbps", "0",
           "Below this stream rate (MiB/s) the job is marked a weak host and "
           "ends. 0: off, for a slow machine of one's own is no fault.",
           0, 1e6),
    option(COWBENCH_TYPE_NUMBER, "floor_randwrite_iops", "0",
           "Below this rate of random writes the job is marked a weak host and "
           "ends. 0: off, as above.",
           0, 1e9),
};

inline constexpr cowbench_requirement kRequirements[] = {tool("fio", "fio")};

inline constexpr cowbench_metric floor_ms(const char* key, const char* label,
                                          const char* definition) {
  return metric(key, "ms", COWBENCH_LOWER_IS_BETTER, label, definition, 1,
                true);
}

inline constexpr cowbench_metric kMetrics[] = {
    metric("calibration_seqwrite_mbps", "MiB/s", COWBENCH_HIGHER_IS_BETTER,
           "Backing store, stream write",
           "Sequential write of one new file (file_size) in 1 MiB blocks with "
           "a final fsync, on the store that backs the members, before any "
           "filesystem is made; members that are devices have none: then on "
           "the first of them itself."),
    metric("calibration_randwrite_iops", "IOPS", COWBENCH_HIGHER_IS_BETTER,
           "Backing store, durable random write",
           "Rate of 4 KiB random writes into one laid-out file (random_size) "
           "with fdatasync after every sixteenth, at the same place."),
    metric("calibration_cpu_score", "Mops/s", COWBENCH_HIGHER_IS_BETTER,
           "CPU, one core",
           "Steps of a dependent 64-bit multiply-shift-xor chain in registers "
           "by one thread; median of five turns."),
    metric("calibration_cpu_all_score", "Mops/s", COWBENCH_HIGHER_IS_BETTER,
           "CPU, all cores",
           "The same by one thread on each usable CPU at once, summed."),
    metric("calibration_memory_mbps", "MiB/s", COWBENCH_HIGHER_IS_BETTER,
           "Memory copy",
           "memcpy between two buffers of 128 MiB by one thread, bytes copied "
           "counted once; median of five turns."),
    floor_ms("floor_tree_create_ms", "Harness floor, tree create",
             "Time of the source-tree phase's own create loop, one worker, on "
             "tmpfs."),
    floor_ms("floor_largedir_create_ms", "Harness floor, directory create",
             "Time of the large-directory phase's own create loop on tmpfs."),
    floor_ms("floor_largedir_readdir_ms", "Harness floor, directory list",
             "Time of its loop that reads all names, on tmpfs."),
    floor_ms("floor_largedir_stat_ms", "Harness floor, directory stat",
             "Time of its loop that reads all names and stats each, on tmpfs."),
    floor_ms("floor_largedir_delete_ms", "Harness floor, directory delete",
             "Time of its loop that removes the directory, on tmpfs."),
};

}  // namespace cowbench::calibration
