// SPDX-License-Identifier: Apache-2.0
// A workload as a small class. Derive from Phase, describe it in a static
// info(), and list the class in COWBENCH_PLUGINS (cowbench/plugin.hpp).
#pragma once

#include <cowbench/describe.hpp>
#include <cowbench/host.hpp>

namespace cowbench {
inline namespace v0 {

// What run() will do; see cowbench_estimate.
struct Estimate {
  std::uint64_t written_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t duration_ns = 0;
};

// One instance serves one phase of one job. Every function may throw; a thrown
// Error ends the phase as failed (or interrupted, for COWBENCH_CANCELLED) with
// its message. What was emitted before stays.
//
// A subclass T has a constructor T(Host) and
//   static constexpr PhaseInfo info();
class Phase {
 public:
  explicit Phase(Host host) : host_(host) {}
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;
  virtual ~Phase() = default;

  // From the settings alone; nothing exists yet.
  virtual Estimate estimate() = 0;
  virtual void versions() {}
  virtual void run() = 0;

  const Host& host() const { return host_; }

 private:
  Host host_;
};

}  // namespace v0
}  // namespace cowbench
