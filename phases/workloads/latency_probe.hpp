// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "posix.hpp"

namespace cowbench::workloads {

// When the probe's operations are due: at start, start + period, ... as long
// as that is before start + window. Times in ns of the probe's clock.
struct ProbeSchedule {
  std::uint64_t start_ns = 0;
  std::uint64_t period_ns = 200'000'000;
  std::uint64_t window_ns = 30'000'000'000;
};

// What the probe does and sees; every member must be set. All are called from
// the thread that runs the probe. Whatever they throw ends the probe.
struct ProbeActions {
  std::function<std::uint64_t()> now_ns;
  std::function<void(std::uint64_t)> sleep_until_ns;
  std::function<void()> write;  // one small write
  std::function<void()> flush;  // what makes it durable
  std::function<bool()> should_stop;
};

struct ProbeResult {
  // Operations due within the window. All were either started or missed.
  std::uint64_t intended = 0;
  // Durable by the window's end. An operation begun in time but durable later
  // has a sample all the same.
  std::uint64_t completed = 0;
  // Due within the window, but not begun when it ended, because the one
  // before them took so long.
  std::uint64_t missed = 0;
  // should_stop() ended the probe early; operations not due by then are not
  // counted as intended.
  bool stopped = false;
  // One per operation begun, in order: from the time it was due to the return
  // of its flush; and how long its write alone took.
  std::vector<std::uint64_t> latency_ns;
  std::vector<std::uint64_t> write_ns;
  // One per missed operation: it had waited at least this long when the
  // probe ended.
  std::vector<std::uint64_t> missed_at_least_ns;
};

// Runs the probe, an open loop: when an operation overruns, those due in the
// meantime are not left out (that would be coordinated omission) but start
// late, one after the other, and their latency includes the wait. None is
// begun at or after the window's end; the one in flight then is waited for. A
// call that the kernel has blocked can't be abandoned: who floods the
// filesystem should stop when the window ends, and the time limit of the
// phase is the last resort.
// should_stop is asked before each operation and before each sleep, so at
// least once per period unless a call blocks.
// Throws std::invalid_argument for a period of 0.
ProbeResult run_probe(const ProbeSchedule& schedule,
                      const ProbeActions& actions);

// The file of a durable write probe: 4 KiB, rewritten in place.
// One instance, one thread at a time.
class ProbeFile {
 public:
  static constexpr std::size_t kBytes = 4096;

  // Creates `path`, which must not exist, writes its block and flushes it.
  // Throws std::system_error.
  ProbeFile(const std::string& path, std::uint64_t seed);

  // One pwrite of the whole file. Incompressible, and different each time:
  // there are filesystems that don't write what is there already.
  void write();
  // One fsync.
  void flush() { file_.sync(); }

  // The actions for run_probe on this file and the real clock. They refer to
  // this object, which must outlive them.
  ProbeActions actions(std::function<bool()> should_stop);

 private:
  OpenFile file_;
  std::vector<unsigned char> block_;
  std::uint64_t writes_ = 0;
};

}  // namespace cowbench::workloads
