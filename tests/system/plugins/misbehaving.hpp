// SPDX-License-Identifier: Apache-2.0
// A phase that emits one figure, misbehaves, and never gets to the second.
#pragma once

#include <cowbench/phase.hpp>

namespace cowbench_test {

using namespace cowbench;

constexpr cowbench_metric counted(const char* key, const char* definition) {
  return metric(key, "count", COWBENCH_NEITHER_IS_BETTER, key, definition);
}

inline constexpr cowbench_metric kBeforeAndAfter[] = {
    counted("before", "1, emitted before the phase misbehaves."),
    counted("after", "1, emitted if it goes on afterwards."),
};

// Behaviour: a type with an `identity` and a static act(const Host&).
template <typename Behaviour>
class Misbehaving : public Phase {
 public:
  static constexpr PhaseInfo info() {
    return {Behaviour::identity, COWBENCH_STAGE_ON_STACK, kBeforeAndAfter};
  }
  using Phase::Phase;
  Estimate estimate() override { return {0, 0, 1'000'000'000}; }
  void run() override {
    host().emit("before", 1);
    Behaviour::act(host());
    host().emit("after", 1);
  }
};

}  // namespace cowbench_test
