// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>
#include <vector>

#include "integrity/command.hpp"
#include "integrity/options.hpp"

namespace cowbench::integrity {

// Checksums over each device: as many mappings out as devices in. State:
// "ticket_<n>".
class Integrity : public Layer {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.integrity", "integrity", "0.1.0",
             "checksums (dm-integrity) over each block device"},
            COWBENCH_OUTPUT_DEVICES,
            1,
            0,
            kOptions,
            kRequirements};
  }

  void check() override;
  void plan() override;
  void versions() override;
  void assemble() override;
  void disassemble() override;
  void deactivate() override;
  void activate() override;
  void verify() override;

 private:
  std::vector<std::string> names() const;
  void run_open(const std::vector<std::string>& argv,
                const std::string& name) const;
  void initialise() const;
  void close_all() const;
  void report(double initialised_seconds) const;
};

}  // namespace cowbench::integrity
