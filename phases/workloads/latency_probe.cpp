// SPDX-License-Identifier: Apache-2.0
#include "latency_probe.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "clock.hpp"
#include "random.hpp"

namespace cowbench::workloads {

namespace {

// Operations due before `end_ns`, which is after the start.
std::uint64_t due_before(const ProbeSchedule& schedule, std::uint64_t end_ns) {
  if (end_ns <= schedule.start_ns) return 0;
  return (end_ns - schedule.start_ns - 1) / schedule.period_ns + 1;
}

void run_one(std::uint64_t due_ns, std::uint64_t window_end_ns,
             const ProbeActions& actions, ProbeResult& result) {
  const std::uint64_t begun = actions.now_ns();
  actions.write();
  const std::uint64_t written = actions.now_ns();
  actions.flush();
  const std::uint64_t durable = actions.now_ns();
  result.write_ns.push_back(written - begun);
  result.latency_ns.push_back(durable - due_ns);
  if (durable <= window_end_ns) ++result.completed;
}

}  // namespace

ProbeResult run_probe(const ProbeSchedule& schedule,
                      const ProbeActions& actions) {
  if (schedule.period_ns == 0)
    throw std::invalid_argument("a latency probe needs a period above zero");
  const std::uint64_t window_end = schedule.start_ns + schedule.window_ns;
  ProbeResult result;
  result.intended = due_before(schedule, window_end);
  result.latency_ns.reserve(result.intended);
  result.write_ns.reserve(result.intended);

  std::uint64_t begun = 0;
  while (begun < result.intended) {
    result.stopped = actions.should_stop();
    if (result.stopped) break;
    const std::uint64_t due = schedule.start_ns + begun * schedule.period_ns;
    if (actions.now_ns() < due) {
      actions.sleep_until_ns(due);
      result.stopped = actions.should_stop();
      if (result.stopped) break;
    }
    if (actions.now_ns() >= window_end) break;
    run_one(due, window_end, actions, result);
    ++begun;
  }

  const std::uint64_t ended = actions.now_ns();
  if (result.stopped && ended < window_end)
    result.intended = std::max(begun, due_before(schedule, ended));
  result.missed = result.intended - begun;
  for (std::uint64_t i = begun; i < result.intended; ++i)
    result.missed_at_least_ns.push_back(ended - schedule.start_ns -
                                        i * schedule.period_ns);
  return result;
}

ProbeFile::ProbeFile(const std::string& path, std::uint64_t seed)
    : file_(OpenFile::open(path, O_WRONLY | O_CREAT | O_EXCL)), block_(kBytes) {
  Random(seed).fill(block_.data(), block_.size());
  write();
  flush();
}

void ProbeFile::write() {
  ++writes_;
  std::memcpy(block_.data(), &writes_, sizeof writes_);
  file_.write_at(block_.data(), block_.size(), 0);
}

ProbeActions ProbeFile::actions(std::function<bool()> should_stop) {
  ProbeActions actions;
  actions.now_ns = monotonic_ns;
  actions.sleep_until_ns = sleep_until_ns;
  actions.write = [this] { write(); };
  actions.flush = [this] { flush(); };
  actions.should_stop = std::move(should_stop);
  return actions;
}

}  // namespace cowbench::workloads
