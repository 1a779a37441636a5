// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>

#include "zfs/options.hpp"
#include "zfs/pool.hpp"

namespace cowbench::zfs {

// A pool with one dataset, mounted. State: that of Pool.
class Zfs : public Layer,
            public UsageAbility,
            public ColdAbility,
            public ReflinkAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.zfs", "zfs", "0.1.0",
             "a ZFS dataset in a pool of its own"},
            COWBENCH_OUTPUT_MOUNT,
            1,
            0,
            kZfsOptions.items,
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
  Pool pool() const { return Pool(host(), "fs"); }
  std::vector<std::string> properties() const;
  void mount() const;
};

}  // namespace cowbench::zfs
