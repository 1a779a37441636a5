// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>

#include "xfs/options.hpp"

namespace cowbench::xfs {

// XFS on one device. State: "uuid".
class Xfs : public Layer,
            public UsageAbility,
            public ColdAbility,
            public ReflinkAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.xfs", "xfs", "0.1.0", "XFS on one block device"},
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
  void supports_reflink() override;

 private:
  std::string device() const;
  void mount() const;
  void read_back() const;
};

}  // namespace cowbench::xfs
