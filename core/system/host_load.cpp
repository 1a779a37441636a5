// SPDX-License-Identifier: Apache-2.0
#include "system/host_load.hpp"

#include <unistd.h>

#include <charconv>
#include <string>

#include "base/text.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"

namespace cowbench {
namespace {

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  return number;
}

// Some of these counters are known to run backwards a little.
std::uint64_t difference(std::uint64_t later, std::uint64_t earlier) {
  return later > earlier ? later - earlier : 0;
}

}  // namespace

CpuTime operator-(const CpuTime& later, const CpuTime& earlier) {
  CpuTime result;
  result.user_ns = difference(later.user_ns, earlier.user_ns);
  result.system_ns = difference(later.system_ns, earlier.system_ns);
  result.idle_ns = difference(later.idle_ns, earlier.idle_ns);
  result.io_wait_ns = difference(later.io_wait_ns, earlier.io_wait_ns);
  result.irq_ns = difference(later.irq_ns, earlier.irq_ns);
  result.steal_ns = difference(later.steal_ns, earlier.steal_ns);
  return result;
}

std::optional<CpuTime> parse_cpu_time(std::string_view text,
                                      std::uint64_t ticks) {
  // cpu user nice system idle iowait irq softirq steal guest guest_nice;
  // guest time is in user already.
  constexpr std::string_view kTitle = "cpu  ";
  if (!text.starts_with(kTitle) || ticks == 0) return std::nullopt;
  text = text.substr(kTitle.size());
  const auto fields = split(text.substr(0, text.find('\n')), ' ');
  constexpr std::size_t kFields = 8;
  if (fields.size() < kFields) return std::nullopt;
  std::uint64_t ns[kFields];
  for (std::size_t i = 0; i < kFields; ++i) {
    const auto number = to_number(fields[i]);
    if (!number) return std::nullopt;
    ns[i] = *number * (kNsPerSecond / ticks);
  }
  CpuTime time;
  time.user_ns = ns[0] + ns[1];
  time.system_ns = ns[2];
  time.idle_ns = ns[3];
  time.io_wait_ns = ns[4];
  time.irq_ns = ns[5] + ns[6];
  time.steal_ns = ns[7];
  return time;
}

MemoryUse parse_meminfo(std::string_view text) {
  MemoryUse use;
  const struct {
    std::string_view name;
    std::uint64_t& bytes;
  } fields[] = {
      {"MemTotal", use.total_bytes},      {"MemAvailable", use.available_bytes},
      {"Cached", use.cached_bytes},       {"Dirty", use.dirty_bytes},
      {"Writeback", use.writeback_bytes}, {"SwapTotal", use.swap_total_bytes},
      {"SwapFree", use.swap_free_bytes},
  };
  for (const auto& line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    for (const auto& field : fields) {
      if (line.compare(0, colon, field.name) != 0) continue;
      field.bytes = to_number(trim(line.substr(colon + 1))).value_or(0) * 1024;
    }
  }
  return use;
}

Result<HostLoad> host_load() {
  const auto stat = read_file("/proc/stat");
  if (!stat) return stat.error();
  const auto meminfo = read_file("/proc/meminfo");
  if (!meminfo) return meminfo.error();
  const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  const auto cpu = parse_cpu_time(*stat, ticks);
  if (!cpu) {
    return Error(Category::kToolFailed,
                 "read /proc/stat: its first line is not what it should be");
  }
  return HostLoad{*cpu, parse_meminfo(*meminfo)};
}

}  // namespace cowbench
