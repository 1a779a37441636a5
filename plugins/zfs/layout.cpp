// SPDX-License-Identifier: Apache-2.0
#include "zfs/layout.hpp"

#include <algorithm>

namespace cowbench::zfs {
namespace {

constexpr std::uint64_t kSmallestDevice = std::uint64_t{64} << 20;

bool starts_with(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

std::size_t parity_of(const std::string& topology) {
  const char last = topology.back();
  return last >= '1' && last <= '3' ? static_cast<std::size_t>(last - '0') : 0;
}

// The role of a device, by its group.
std::string role_of(const Host& host, const cowbench_device& device) {
  for (const char* role : {"special", "log", "cache"}) {
    if (host.has(role) && host.text(role) == device.group) return role;
  }
  return "data";
}

std::vector<std::string> paths_of(const Host& host, const std::string& role) {
  std::vector<std::string> paths;
  for (const cowbench_device* device : host.devices()) {
    if (role_of(host, *device) == role) paths.emplace_back(device->path);
  }
  return paths;
}

std::size_t width_of(const Host& host, std::size_t devices) {
  const auto width = static_cast<std::size_t>(host.integer("width"));
  return width == 0 ? devices : width;
}

struct Draid {
  std::size_t parity, data, children, spares;
};

Draid draid_of(const Host& host, std::size_t width) {
  Draid draid{};
  draid.parity = parity_of(host.text("topology"));
  draid.children = width;
  draid.spares = static_cast<std::size_t>(host.integer("draid_spares"));
  draid.data = static_cast<std::size_t>(host.integer("draid_data"));
  const std::size_t taken = draid.parity + draid.spares;
  if (draid.data == 0) draid.data = width > taken ? width - taken : 0;
  return draid;
}

// The name zpool gives to a vdev of the data groups.
std::string data_kind(const Host& host, std::size_t width) {
  std::string topology = host.text("topology");
  if (topology == "stripe") return {};
  if (!starts_with(topology, "draid")) return topology;
  const Draid draid = draid_of(host, width);
  return topology + ":" + std::to_string(draid.data) +
         "d:" + std::to_string(draid.children) +
         "c:" + std::to_string(draid.spares) + "s";
}

void data_problems(const Host& host, std::vector<std::string>& problems) {
  const std::string topology = host.text("topology");
  const std::size_t count = paths_of(host, "data").size();
  const std::size_t width = width_of(host, count);
  if (count == 0) {
    problems.emplace_back("on: no group is left for data");
    return;
  }
  if (topology == "stripe") return;
  const std::size_t least = topology == "mirror" ? 2 : parity_of(topology) + 1;
  if (width < least) {
    problems.push_back("width: a " + topology + " needs at least " +
                       std::to_string(least) + " devices, there are " +
                       std::to_string(width));
  } else if (count % width != 0) {
    problems.push_back("width: " + std::to_string(count) +
                       " devices cannot be divided into " + topology + " of " +
                       std::to_string(width));
  }
  if (!starts_with(topology, "draid")) return;
  const Draid draid = draid_of(host, width);
  if (draid.data == 0 || draid.parity + draid.data + draid.spares > width) {
    problems.push_back("draid_data: parity " + std::to_string(draid.parity) +
                       ", data " + std::to_string(draid.data) + " and spares " +
                       std::to_string(draid.spares) + " do not fit on " +
                       std::to_string(width) + " devices");
  }
}

// Whether zpool takes both side by side: the same, or a mirror and a raidz that
// survive the loss of as many devices.
bool matches(const Vdev& special, const Vdev& data) {
  if (special.kind != data.kind) {
    return special.kind == "mirror" && starts_with(data.kind, "raidz") &&
           parity_of(data.kind) == special.devices.size() - 1;
  }
  return special.kind.empty() || special.devices.size() == data.devices.size();
}

}  // namespace

Layout make_layout(const Host& host) {
  Layout layout;
  const std::vector<std::string> data = paths_of(host, "data");
  const std::size_t width = host.text("topology") == "stripe"
                                ? data.size()
                                : width_of(host, data.size());
  for (std::size_t i = 0; width > 0 && i + width <= data.size(); i += width) {
    const auto first = data.begin() + static_cast<std::ptrdiff_t>(i);
    layout.push_back({"data",
                      data_kind(host, width),
                      {first, first + static_cast<std::ptrdiff_t>(width)}});
  }
  for (const char* role : {"special", "log", "cache"}) {
    const std::vector<std::string> paths = paths_of(host, role);
    if (paths.empty()) continue;
    const std::string key = std::string(role) + "_mirror";
    layout.push_back({role, host.boolean(key.c_str()) ? "mirror" : "", paths});
  }
  return layout;
}

std::vector<std::string> layout_problems(const Host& host) {
  std::vector<std::string> problems;
  data_problems(host, problems);
  for (const char* role : {"special", "log", "cache"}) {
    if (!host.has(role)) continue;
    const std::size_t count = paths_of(host, role).size();
    const std::string key = std::string(role) + "_mirror";
    if (count == 0) {
      problems.push_back(std::string(role) + ": the layer stands on no group " +
                         host.text(role));
    } else if (count < 2 && host.boolean(key.c_str())) {
      problems.push_back(key + ": group " + host.text(role) +
                         " has one device; a mirror needs two");
    }
  }
  for (const cowbench_device* device : host.devices()) {
    if (device->size_bytes >= kSmallestDevice) continue;
    problems.push_back(std::string(device->path) + " has " +
                       std::to_string(device->size_bytes) +
                       " bytes; zpool wants 64 MiB or more");
  }
  return problems;
}

bool needs_force(const Host& host, const Layout& layout) {
  const auto size_of = [&](const std::string& path) {
    for (const cowbench_device* device : host.devices()) {
      if (device->path == path) return device->size_bytes;
    }
    return std::uint64_t{0};
  };
  for (const Vdev& vdev : layout) {
    if (vdev.role == "special" && !matches(vdev, layout.front())) return true;
    if (vdev.kind.empty()) continue;
    for (const std::string& path : vdev.devices) {
      if (size_of(path) != size_of(vdev.devices.front())) return true;
    }
  }
  return false;
}

std::vector<std::string> create_arguments(const Layout& layout) {
  std::vector<std::string> words;
  std::string role = "data";
  for (const Vdev& vdev : layout) {
    if (vdev.role != role) words.push_back(role = vdev.role);
    if (!vdev.kind.empty()) words.push_back(vdev.kind);
    words.insert(words.end(), vdev.devices.begin(), vdev.devices.end());
  }
  return words;
}

std::string describe(const Layout& layout) {
  std::string text;
  for (const Vdev& vdev : layout) {
    if (!text.empty()) text += ", ";
    if (vdev.role != "data") text += vdev.role + " ";
    text += vdev.kind.empty() ? "stripe" : vdev.kind;
    for (const std::string& path : vdev.devices) text += " " + path;
  }
  return text;
}

std::string first_partition(const std::string& device) {
  if (starts_with(device, "/dev/disk/")) return device + "-part1";
  const bool digit = device.back() >= '0' && device.back() <= '9';
  return device + (digit ? "p1" : "1");
}

}  // namespace cowbench::zfs
