// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>

#include "ext4/options.hpp"

namespace cowbench::ext4 {

// ext4 on one device. State: "uuid".
class Ext4 : public Layer, public UsageAbility, public ColdAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.ext4", "ext4", "0.1.0", "ext4 on one block device"},
            COWBENCH_OUTPUT_MOUNT,
            1,
            1,
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

 private:
  std::string device() const;
  void mount() const;
  void read_back() const;
};

}  // namespace cowbench::ext4
