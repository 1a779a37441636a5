// SPDX-License-Identifier: Apache-2.0
#include "result/metric.hpp"

#include <charconv>
#include <string_view>

namespace cowbench {

namespace {

std::optional<std::uint64_t> count_of(const Metric& metric,
                                      std::string_view key) {
  for (const auto& [name, text] : metric.conditions) {
    if (name != key) continue;
    std::uint64_t count = 0;
    const char* const past = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), past, count);
    if (error != std::errc() || end != past) return std::nullopt;
    return count;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WrittenBytes> written_bytes(const Metric& metric) {
  const auto by_members = count_of(metric, "member_write_bytes");
  const auto by_workload = count_of(metric, "written_bytes");
  if (!by_members || !by_workload || *by_workload == 0) return std::nullopt;
  return WrittenBytes{*by_members, *by_workload};
}

}  // namespace cowbench
