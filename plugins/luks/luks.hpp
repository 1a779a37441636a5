// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>

#include "luks/header.hpp"
#include "luks/options.hpp"

namespace cowbench::luks {

// LUKS2 over each device: as many mappings out as devices in. The key lies in
// the layer's memory folder for as long as the job lives. State: "ticket_<n>".
class Luks : public Layer {
 public:
  using Layer::Layer;
  static constexpr LayerInfo info() {
    return {{"org.cowbench.luks", "luks", "0.1.0",
             "LUKS2 encryption (dm-crypt) over each block device"},
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
  std::string key_file() const;
  std::string name(std::size_t index) const;
  void open(std::size_t index) const;
  void require_mapping(std::size_t index) const;
  void report(const Header& header) const;
};

}  // namespace cowbench::luks
