// SPDX-License-Identifier: Apache-2.0
// Processor time and memory of the whole machine, for accounting.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

// Time of all cores together since boot.
struct CpuTime {
  std::uint64_t user_ns = 0;  // with nice
  std::uint64_t system_ns = 0;
  std::uint64_t idle_ns = 0;
  std::uint64_t io_wait_ns = 0;
  std::uint64_t irq_ns = 0;    // with softirq
  std::uint64_t steal_ns = 0;  // taken by the hypervisor
};

CpuTime operator-(const CpuTime& later, const CpuTime& earlier);

struct MemoryUse {
  std::uint64_t total_bytes = 0;
  std::uint64_t available_bytes = 0;
  std::uint64_t cached_bytes = 0;
  std::uint64_t dirty_bytes = 0;
  std::uint64_t writeback_bytes = 0;
  std::uint64_t swap_total_bytes = 0;
  std::uint64_t swap_free_bytes = 0;
};

struct HostLoad {
  CpuTime cpu;
  MemoryUse memory;
};

Result<HostLoad> host_load();

// The texts of /proc/stat (ticks: of one second) and /proc/meminfo.
std::optional<CpuTime> parse_cpu_time(std::string_view text,
                                      std::uint64_t ticks);
MemoryUse parse_meminfo(std::string_view text);

}  // namespace cowbench
