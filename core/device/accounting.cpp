// SPDX-License-Identifier: Apache-2.0
#include "device/accounting.hpp"

#include "system/clock.hpp"
#include "system/kernel_log.hpp"

namespace cowbench {

namespace {

// Short against the calm that is waited for, long against its own cost.
constexpr std::uint64_t kPollNs = 10 * kNsPerMs;

std::vector<std::optional<IoCounters>> read_counters(
    const std::vector<Member>& members) {
  std::vector<std::optional<IoCounters>> all;
  all.reserve(members.size());
  for (const Member& member : members) {
    auto counters = io_counters(member.facts.number);
    all.push_back(counters ? std::optional(*counters) : std::nullopt);
  }
  return all;
}

void write_member(JsonWriter& json, const Member& member,
                  const IoCounters& io) {
  json.begin_object()
      .field("name", member.name)
      .field("read_ops", io.read_ops)
      .field("read_bytes", io.read_bytes)
      .field("write_ops", io.write_ops)
      .field("write_bytes", io.write_bytes)
      .field("discard_ops", io.discard_ops)
      .field("discard_bytes", io.discard_bytes)
      .field("flush_ops", io.flush_ops)
      .field("busy_ns", io.busy_ns)
      .end_object();
}

void write_load(JsonWriter& json, const HostLoad& before,
                const HostLoad& after) {
  const CpuTime cpu = after.cpu - before.cpu;
  json.key("cpu")
      .begin_object()
      .field("user_ns", cpu.user_ns)
      .field("system_ns", cpu.system_ns + cpu.irq_ns)
      .field("iowait_ns", cpu.io_wait_ns)
      .field("idle_ns", cpu.idle_ns)
      .field("steal_ns", cpu.steal_ns)
      .end_object();
  json.key("memory")
      .begin_object()
      .field("available_bytes", after.memory.available_bytes)
      .field("dirty_bytes", after.memory.dirty_bytes)
      .field("cached_bytes", after.memory.cached_bytes)
      .end_object();
}

void write_kernel_log(JsonWriter& json, const AccountingSnapshot& before) {
  std::string state = before.kernel_log_error;
  json.key("kernel_warnings").begin_array();
  if (before.kernel_log) {
    auto records = kernel_warnings_since(*before.kernel_log);
    if (records) {
      for (const KernelRecord& record : *records) json.value(record.text);
    } else {
      state = records.error().message();
    }
  }
  json.end_array();
  json.field("kernel_log", state.empty() ? "ok" : state);
}

}  // namespace

AccountingSnapshot take_snapshot(const std::vector<Member>& members) {
  AccountingSnapshot snapshot;
  snapshot.members = read_counters(members);
  if (auto load = host_load(); load) snapshot.load = *load;
  auto position = kernel_log_position();
  if (position) {
    snapshot.kernel_log = *position;
  } else {
    snapshot.kernel_log_error = position.error().message();
  }
  return snapshot;
}

void write_accounting(JsonWriter& json, const std::vector<Member>& members,
                      const AccountingSnapshot& before) {
  const auto after = read_counters(members);
  json.begin_object();
  json.key("members").begin_array();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!after[i] || i >= before.members.size() || !before.members[i]) continue;
    write_member(json, members[i], *after[i] - *before.members[i]);
  }
  json.end_array();
  if (auto load = host_load(); load && before.load) {
    write_load(json, *before.load, *load);
  }
  write_kernel_log(json, before);
  json.end_object();
}

bool wait_until_idle(const std::vector<Member>& members, std::uint64_t calm_ns,
                     std::uint64_t limit_ns,
                     const std::function<bool()>& should_stop) {
  const std::uint64_t start = now_ns();
  std::uint64_t calm_since = start;
  auto last = read_counters(members);
  for (;;) {
    sleep_ns(kPollNs);
    const auto current = read_counters(members);
    bool moved = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!current[i] || !last[i]) continue;
      moved = moved || current[i]->in_flight > 0 ||
              current[i]->write_ops != last[i]->write_ops ||
              current[i]->read_ops != last[i]->read_ops ||
              current[i]->discard_ops != last[i]->discard_ops;
    }
    last = current;
    const std::uint64_t now = now_ns();
    if (moved) calm_since = now;
    if (now - calm_since >= calm_ns) return true;
    if (now - start >= limit_ns || (should_stop && should_stop())) return false;
  }
}

}  // namespace cowbench
