// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/phase.hpp>

#include "calibration/description.hpp"

namespace cowbench::calibration {

// What the machine gives before any filesystem is made; see README.md.
class Calibration : public Phase {
 public:
  using Phase::Phase;
  static constexpr PhaseInfo info() {
    return {{"org.cowbench.calibration", "calibration", "0.1.0",
             "the machine below the stack: disk, CPU, memory, harness floor"},
            COWBENCH_STAGE_BEFORE_STACK,
            kMetrics,
            kOptions,
            kRequirements};
  }

  Estimate estimate() override;
  void versions() override;
  void run() override;

 private:
  void mark_if_below(const char* option, const char* what, double figure);
};

}  // namespace cowbench::calibration
