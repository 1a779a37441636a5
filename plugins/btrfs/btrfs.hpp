// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>
#include <vector>

#include "btrfs/options.hpp"

namespace cowbench::btrfs {

// btrfs over any number of devices. State: "uuid".
class Btrfs : public Layer,
              public UsageAbility,
              public ColdAbility,
              public ReflinkAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.btrfs", "btrfs", "0.1.0",
             "btrfs over one or more block devices"},
            COWBENCH_OUTPUT_MOUNT,
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

  void usage(cowbench_usage& usage) override;
  std::uint64_t cold_metadata_bytes(std::uint64_t entries,
                                    bool with_inodes) override;
  void supports_reflink() override {}

 private:
  std::vector<std::string> devices() const;
  void mount() const;
  void forget() const;
  void read_back() const;
};

}  // namespace cowbench::btrfs
