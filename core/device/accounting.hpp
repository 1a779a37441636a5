// SPDX-License-Identifier: Apache-2.0
// What members, processors and the kernel did between two moments.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "device/member.hpp"
#include "system/host_load.hpp"
#include "system/io_counters.hpp"

namespace cowbench {

// The counters at one moment. A member that is gone reads as nothing.
struct AccountingSnapshot {
  std::vector<std::optional<IoCounters>> members;
  std::optional<HostLoad> load;
  std::optional<std::uint64_t> kernel_log;  // position
  std::string kernel_log_error;
};

AccountingSnapshot take_snapshot(const std::vector<Member>& members);

// Writes the `accounting` object for what happened since `before`.
void write_accounting(JsonWriter& json, const std::vector<Member>& members,
                      const AccountingSnapshot& before);

// Whether the members are at rest: nothing in flight, and neither reads nor
// writes for `calm_ns`. Waits at most `limit_ns`; false: they did not rest.
bool wait_until_idle(const std::vector<Member>& members, std::uint64_t calm_ns,
                     std::uint64_t limit_ns,
                     const std::function<bool()>& should_stop);

}  // namespace cowbench
