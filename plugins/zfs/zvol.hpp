// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>

#include "zfs/options.hpp"
#include "zfs/pool.hpp"

namespace cowbench::zfs {

// A pool with one volume, offered as a block device. State: that of Pool, and
// "path".
class Zvol : public Layer, public ColdAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.zvol", "zvol", "0.1.0",
             "a volume in a ZFS pool of its own"},
            COWBENCH_OUTPUT_DEVICES,
            1,
            0,
            kZvolOptions.items,
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

  // Compressed, less of a filesystem's metadata is read from the members than
  // the filesystem itself reads.
  std::uint64_t cold_metadata_bytes(std::uint64_t entries,
                                    bool with_inodes) override;

 private:
  Pool pool() const { return Pool(host(), "vol"); }
  std::vector<std::string> arguments(std::uint64_t size_bytes) const;
  std::vector<std::string> properties() const;
  std::uint64_t size_within_pool() const;
  std::string wait_for_device(std::uint64_t size_bytes) const;
};

}  // namespace cowbench::zfs
