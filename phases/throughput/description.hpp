// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::throughput {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_SIZE, "file_size", "2GiB",
           "Size of the file that is streamed and read; 2 GiB as published.",
           1048576, 1099511627776.0),
    option(COWBENCH_TYPE_SIZE, "random_size", "1GiB",
           "Bytes that random writes go to, over all jobs; 1 GiB as published.",
           1048576, 1099511627776.0),
    option(COWBENCH_TYPE_SIZE, "read_volume", "512MiB",
           "Bytes of a random read pass, over all jobs, at most file_size; "
           "512 MiB as published.",
           1048576, 1099511627776.0),
    option(COWBENCH_TYPE_DURATION, "runtime", "30s",
           "Time of one series of random writes; 30 s as published.", 1e9,
           3600e9),
    option(COWBENCH_TYPE_TEXT_LIST, "jobs_extra", nullptr,
           "Further numbers of jobs for random writes and reads: 8, 16. None "
           "by default: they tell little on loop devices."),
    option(COWBENCH_TYPE_BOOLEAN, "sharded", "false",
           "Also random writes where each process makes its own file. Off: it "
           "doubles the time of random writes."),
};

inline constexpr cowbench_requirement kRequirements[] = {tool("fio", "fio")};

inline constexpr cowbench_metric iops(const char* key, const char* label,
                                      const char* definition,
                                      std::uint32_t method_version,
                                      bool detail) {
  return metric(key, "IOPS", COWBENCH_HIGHER_IS_BETTER, label, definition,
                method_version, detail);
}

inline constexpr cowbench_metric kMetrics[] = {
    metric("seqwrite_mbps", "MiB/s", COWBENCH_HIGHER_IS_BETTER, "Stream write",
           "Mean bandwidth of writing one new file (file_size) front to back "
           "in 1 MiB blocks of incompressible data, ending with an fsync."),
    iops("randwrite_iops", "Durable random write, 1 job",
         "Rate of 4 KiB random writes into a laid-out file (random_size) when "
         "every sixteenth is followed by fdatasync.",
         1, false),
    iops("randwrite4_iops", "Durable random write, 4 jobs",
         "The same by four processes, each on its own quarter-sized file, "
         "summed.",
         1, false),
    iops("randwrite8_iops", "Durable random write, 8 jobs",
         "The same by eight processes on files of an eighth of the size.", 1,
         true),
    iops("randwrite16_iops", "Durable random write, 16 jobs",
         "The same by sixteen processes on files of a sixteenth of the size.",
         1, true),
    iops("randwrite4_sharded_iops",
         "Durable random write, 4 self-creating workers",
         "As with 4 jobs, but each process creates and preallocates its own "
         "file, so that allocation is spread over the filesystem's shards.",
         1, true),
    iops("randwrite8_sharded_iops",
         "Durable random write, 8 self-creating workers",
         "As with 8 jobs, but each process creates and preallocates its own "
         "file.",
         1, true),
    iops("randwrite16_sharded_iops",
         "Durable random write, 16 self-creating workers",
         "As with 16 jobs, but each process creates and preallocates its own "
         "file.",
         1, true),
    metric("fsync_p99_ms", "ms", COWBENCH_LOWER_IS_BETTER, "Flush latency p99",
           "99th percentile of fdatasync times during the random write with "
           "one job; withheld below 100 flushes."),
    metric("fsync_p999_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Flush latency p99.9",
           "99.9th percentile of the same times; withheld below 1000 "
           "flushes."),
    iops("randread_iops", "Cold random read, 1 job",
         "Rate of 4 KiB random reads of distinct blocks (read_volume) of the "
         "streamed file, proven to come from the members.",
         1, false),
    iops("randread4_iops", "Cold random read, 4 jobs",
         "The same volume read by four processes, each from its own quarter "
         "of the file, so that none finds what another has loaded (method 1 "
         "let ranges overlap).",
         2, false),
    iops("randread8_iops", "Cold random read, 8 jobs",
         "The same by eight processes on disjoint eighths of the file.", 2,
         true),
    iops("randread16_iops", "Cold random read, 16 jobs",
         "The same by sixteen processes on disjoint sixteenths of the file.", 2,
         true),
    metric("seqread_mbps", "MiB/s", COWBENCH_HIGHER_IS_BETTER,
           "Cold stream read",
           "Bandwidth of one full pass over the streamed file with 1 MiB "
           "reads, proven to come from the members."),
};

}  // namespace cowbench::throughput
