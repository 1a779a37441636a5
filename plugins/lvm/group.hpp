// SPDX-License-Identifier: Apache-2.0
// The volume group as a thing on the machine: making and removing it, and
// waiting for what LVM leaves to the background.
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "lvm/commands.hpp"
#include "lvm/mapping.hpp"
#include "lvm/report.hpp"

namespace cowbench::lvm {

// State: "pv_uuid.N" of the N-th device, "ticket.N" and "ticket.group" of the
// ledger, all set before the thing exists.
class Group {
 public:
  Group(Host host, const Settings& settings)
      : host_(host),
        settings_(settings),
        name_(host.object_name()),
        commands_(settings, name_) {}

  const std::string& name() const { return name_; }

  // Throws Error(COWBENCH_NOT_AVAILABLE) when the kernel or this machine lacks
  // what the settings need.
  void require_support() const;
  // Throws Error(COWBENCH_BAD_CONFIG) when a device already is a physical
  // volume or the group's name is in use.
  void refuse_conflicts() const;
  // Devices, group, volumes, each in the ledger first. Returns when arrays are
  // in sync and checksums are there; answers the seconds of waiting.
  double make() const;
  // Removes whatever of it is there, verified, and strikes it off.
  void remove() const;

  void activate() const;
  // Verified: no mapping of the group is left.
  void deactivate() const;

  // Never empty; the lines speak of the group, too.
  std::vector<Row> volumes() const;
  // As LVM counts them.
  DeviceExtents device_extents() const;
  // Current `dmsetup table` of the group.
  std::string tables() const;

 private:
  std::string run(const Argv& argv) const;
  // Retries for some seconds: workers of udev keep devices open for moments.
  void run_patiently(const Argv& argv) const;
  std::vector<std::string> mappings() const;
  std::vector<Row> device_rows() const;
  void make_devices() const;
  void make_group() const;
  std::vector<Target> status() const;
  bool ready(Progress& total) const;
  double wait_until_ready() const;
  void size_vdo_volume() const;
  void remove_mappings() const;
  void remove_devices() const;
  void strike(const std::string& key) const;

  Host host_;
  const Settings& settings_;
  std::string name_;
  Commands commands_;
};

}  // namespace cowbench::lvm
