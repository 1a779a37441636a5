// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/layer.hpp>
#include <string>
#include <vector>

#include "mdraid/array.hpp"
#include "mdraid/command.hpp"
#include "mdraid/options.hpp"

namespace cowbench::mdraid {

// A Linux software RAID over all the devices. State: "ticket_name" and
// "ticket_uuid", its ledger entries.
class Mdraid : public Layer {
 public:
  explicit Mdraid(Host host);
  static constexpr LayerInfo info() {
    return {{"org.cowbench.mdraid", "mdraid", "0.1.0",
             "Linux software RAID (md) over several block devices"},
            COWBENCH_OUTPUT_DEVICES,
            2,
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
  std::vector<std::string> devices() const;
  std::vector<std::string> device_names() const;
  bool known_clean() const;
  std::string configuration() const;
  void write_configuration() const;
  void require_module() const;
  void enter_in_ledger() const;
  void strike_from_ledger() const;
  std::string sysfs() const { return "/sys/block/" + names_.kernel; }
  bool exists() const;
  void await_device() const;
  void read_back(std::uint64_t resync_ns) const;
  void report_limits() const;
  ArrayFacts require_as_made() const;
  std::vector<std::string> arrays_on_devices() const;
  bool is_ours(const std::string& array) const;
  void stop(const std::string& array) const;
  void stop_takeovers() const;
  std::string superblock_uuid(const std::string& device) const;

  Names names_;
};

}  // namespace cowbench::mdraid
