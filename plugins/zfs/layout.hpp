// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::zfs {

// One top-level vdev, or the unreplicated devices of one role.
struct Vdev {
  std::string role;                  // data, special, log, cache, spare
  std::string kind;                  // "mirror", "raidz2"; empty: plain devices
  std::vector<std::string> devices;  // paths
};

// What a pool consists of, in the order in which zpool takes it.
using Layout = std::vector<Vdev>;

// The layout that the layer's options ask for over its devices. Meaningful
// only when layout_problems() is empty.
Layout make_layout(const Host& host);

// Every reason why the options cannot work with the devices.
std::vector<std::string> layout_problems(const Host& host);

// Whether zpool refuses the layout unless forced: for devices of unlike size
// side by side, or a special vdev of less redundancy than the data.
bool needs_force(const Host& host, const Layout& layout);

// As arguments of zpool create.
std::vector<std::string> create_arguments(const Layout& layout);

// One line: "mirror /dev/a /dev/b, mirror /dev/c /dev/d, log /dev/e".
std::string describe(const Layout& layout);

// Where zpool puts its data when it partitions `device`: the name of its first
// partition, as udev and the kernel make it.
std::string first_partition(const std::string& device);

}  // namespace cowbench::zfs
