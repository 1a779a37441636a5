// SPDX-License-Identifier: Apache-2.0
// What zpool and zfs print, read into structures. Everything throws
// Error(COWBENCH_TOOL_FAILED) that names what is not there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "zfs/layout.hpp"

namespace cowbench::zfs {

using Properties = std::map<std::string, std::string>;

// Out of `zpool get -Hp -o property,value` or the same of zfs.
Properties parse_properties(const std::string& text);
// Its value; throws when there is none of that name.
const std::string& property(const Properties& properties,
                            const std::string& name);
// The same as a number.
std::uint64_t number(const Properties& properties, const std::string& name);

// What `zpool status -P POOL` tells.
struct Status {
  std::string state;  // ONLINE, DEGRADED, ...
  Layout layout;      // devices are the leaves, so partitions perhaps
};
Status parse_status(const std::string& text, const std::string& pool);

// The found layout with each leaf replaced by the device that it lies on, and
// the unreplicated vdevs of one role in one. A leaf of none stays as it is.
Layout on_devices(const Layout& found, const std::vector<std::string>& devices);

// The leaves of all vdevs.
std::vector<std::string> leaves_of(const Layout& layout);

// Space of one top-level vdev, as `zpool list -Hpv` counts: for a mirror one
// copy, for raidz and draid parity too. Bytes.
struct VdevSpace {
  std::string kind;  // "mirror", "raidz2"; empty: a plain device
  std::size_t devices = 1;
  std::uint64_t allocated_bytes = 0;
};
// Of the vdevs that hold data or metadata (normal, special); not of log, cache
// and spares.
std::vector<VdevSpace> parse_space(const std::string& text);

// Bytes on the devices, with all copies.
std::uint64_t allocated_raw_bytes(const std::vector<VdevSpace>& vdevs);

// The least unit of allocation of each vdev that has one, from `zpool get -Hp
// -o value ashift POOL all-vdevs`: "12", or "9 12" when they differ.
std::string parse_ashifts(const std::string& text);

// "2.3.9-0+deb13u1" for "zfs" and for "zfs-kmod", from `zfs version`. Empty
// when there is no such line.
std::string parse_version(const std::string& text, const std::string& which);

}  // namespace cowbench::zfs
