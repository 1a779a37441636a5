// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <cstdint>

namespace cowbench::throughput {

inline constexpr std::uint64_t kStreamBlock = 1048576;
inline constexpr std::uint64_t kRandomBlock = 4096;

// Keys of the metrics of one number of jobs.
struct Series {
  unsigned jobs;
  const char* write;    // "randwrite4": a metric's key without "_iops"
  const char* sharded;  // nullptr: one process has nothing to share
  const char* read;
};
inline constexpr Series kSeries[] = {
    {1, "randwrite", nullptr, "randread"},
    {4, "randwrite4", "randwrite4_sharded", "randread4"},
    {8, "randwrite8", "randwrite8_sharded", "randread8"},
    {16, "randwrite16", "randwrite16_sharded", "randread16"},
};

struct Settings {
  std::uint64_t file_bytes = 0;
  std::uint64_t random_bytes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t runtime_s = 0;
  bool eight = false;  // the series of 8 jobs was asked for
  bool sixteen = false;
  bool sharded = false;

  bool wants(const Series& series) const;
};

// Throws Error(COWBENCH_BAD_CONFIG) when settings contradict each other.
Settings read_settings(const Host& host);

}  // namespace cowbench::throughput
