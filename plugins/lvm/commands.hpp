// SPDX-License-Identifier: Apache-2.0
// LVM's commands, cut off from the machine's own LVM: no configuration or
// devices file of the host is read, and only the devices named are seen.
#pragma once

#include <string>
#include <vector>

#include "lvm/settings.hpp"

namespace cowbench::lvm {

using Argv = std::vector<std::string>;

// Names of the volumes inside a group.
inline constexpr const char* kVolume = "volume";
inline constexpr const char* kPool = "pool";
inline constexpr const char* kPoolMetadata = "poolmeta";
inline constexpr const char* kFast = "fast";

// `words` is an LVM command with its own arguments, such as {"vgs", "x"}.
Argv isolated(const std::vector<std::string>& devices, const Argv& words);

// The commands that make things in group `group`, in order.
class Commands {
 public:
  Commands(const Settings& settings, std::string group)
      : settings_(settings), group_(std::move(group)) {}

  Argv make_device(const std::string& device, const std::string& uuid) const;
  Argv make_group() const;
  // The volume itself, or the pool's data when there is a pool.
  Argv make_base(std::uint64_t extents) const;
  // What turns the base into the volume that is asked for; nothing for one
  // without pool and cache.
  std::vector<Argv> make_upper(const Extents& extents) const;

  // Makes the volume larger, to so many extents.
  Argv grow_volume(const std::string& extents) const;

  Argv activate() const;
  Argv deactivate() const;
  Argv remove_group() const;
  Argv remove_device(const std::string& device) const;

  // All volumes, hidden ones too, as JSON with sizes in bytes; what is said of
  // the group stands in each line.
  Argv report_volumes() const;
  // Exits with 0 when the group exists.
  Argv find_group() const;
  // Of all devices of the layer, whatever group they are in.
  Argv report_devices() const;

 private:
  Argv run(const Argv& words) const {
    return isolated(settings_.devices(), words);
  }
  std::string full(const char* volume) const { return group_ + "/" + volume; }
  std::vector<Argv> make_thin(const Extents& extents) const;
  Argv make_vdo(std::uint64_t extents) const;
  std::vector<Argv> make_cache(const Extents& extents) const;

  const Settings& settings_;
  std::string group_;
};

}  // namespace cowbench::lvm
