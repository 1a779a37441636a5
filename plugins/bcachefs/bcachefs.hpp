// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>

#include "bcachefs/format.hpp"
#include "bcachefs/options.hpp"
#include "bcachefs/superblock.hpp"

namespace cowbench::bcachefs {

// bcachefs over any number of devices, of one or several groups. State:
// "uuid", set before anything is written; "stripes" with erasure coding.
class Bcachefs : public Layer,
                 public UsageAbility,
                 public ColdAbility,
                 public ReflinkAbility {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.bcachefs", "bcachefs", "0.1.0",
             "bcachefs over one or more block devices"},
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
  FormatOptions options() const;
  void format(const FormatOptions& options) const;
  Superblock read_superblock(const FormatOptions& options) const;
  void mount(const FormatOptions& options) const;
  void unmount() const;
  void require_mounted(const FormatOptions& options) const;
  void prove_erasure(const Superblock& superblock) const;
  void make_directories() const;
  void report(const FormatOptions& options, const Superblock& superblock) const;
  std::string versions_text() const;
};

}  // namespace cowbench::bcachefs
