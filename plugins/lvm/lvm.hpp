// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>

#include "lvm/options.hpp"

namespace cowbench::lvm {

// One volume of an LVM group of its own, over any number of devices: plain or
// redundant, from a thin or a VDO pool, or behind a cache. State: "vg_uuid",
// "volume_uuid" and what Group keeps.
class Lvm : public Layer {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.lvm", "lvm", "0.1.0",
             "a volume of LVM: linear, striped, raid, thin, cached, VDO"},
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
};

}  // namespace cowbench::lvm
