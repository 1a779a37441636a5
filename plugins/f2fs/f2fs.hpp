// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>

#include "f2fs/options.hpp"

namespace cowbench::f2fs {

// F2FS on one device. State: "uuid".
class F2fs : public Layer, public UsageAbility, public ColdAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.f2fs", "f2fs", "0.1.0", "F2FS on one block device"},
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
  std::string kernel_name() const;
  void mount() const;
  void require_as_asked() const;
  void report() const;
};

}  // namespace cowbench::f2fs
