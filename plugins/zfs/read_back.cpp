// SPDX-License-Identifier: Apache-2.0
#include "zfs/read_back.hpp"

#include <algorithm>
#include <charconv>
#include <cowbench/error.hpp>
#include <set>
#include <sstream>

namespace cowbench::zfs {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream all(line);
  for (std::string field; std::getline(all, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

std::uint64_t to_number(const std::string& what, const std::string& digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc() && stop == end && !digits.empty()) return value;
  throw Error(COWBENCH_TOOL_FAILED,
              what + " is \"" + digits + "\", which is no number");
}

// "mirror" for "mirror-0"; empty for what is no group of devices.
std::string kind_of(const std::string& name) {
  for (const char* kind : {"mirror", "raidz", "draid"}) {
    if (name.rfind(kind, 0) == 0) return name.substr(0, name.rfind('-'));
  }
  return {};
}

// A row of the configuration: how far it is indented, and its name.
struct Row {
  std::size_t depth = 0;
  std::string name;
};

// The rows below NAME STATE READ WRITE CKSUM; zpool indents each by a
// tabulator and two blanks a level.
std::vector<Row> rows_of(const std::string& text) {
  std::vector<Row> rows;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    const std::size_t begin = line.find_first_not_of("\t ");
    if (begin == std::string::npos || line.front() != '\t') {
      if (inside && !rows.empty()) break;
      continue;
    }
    std::istringstream words(line);
    Row row;
    words >> row.name;
    if (row.name == "NAME") {
      inside = true;
    } else if (inside) {
      row.depth = (begin - 1) / 2;
      rows.push_back(row);
    }
  }
  return rows;
}

std::string role_of_section(const std::string& name, const std::string& pool) {
  if (name == pool) return "data";
  if (name == "logs") return "log";
  if (name == "spares") return "spare";
  return name;
}

}  // namespace

Properties parse_properties(const std::string& text) {
  Properties properties;
  for (const std::string& line : lines_of(text)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    properties[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return properties;
}

const std::string& property(const Properties& properties,
                            const std::string& name) {
  const auto found = properties.find(name);
  if (found != properties.end()) return found->second;
  throw Error(COWBENCH_TOOL_FAILED,
              "there is no property " + name + " in this version of zfs");
}

std::uint64_t number(const Properties& properties, const std::string& name) {
  return to_number("property " + name, property(properties, name));
}

Status parse_status(const std::string& text, const std::string& pool) {
  Status status;
  for (const std::string& line : lines_of(text)) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.compare(begin, 7, "state: ") != 0) {
      continue;
    }
    status.state = line.substr(begin + 7);
    break;
  }
  std::string role;
  for (const Row& row : rows_of(text)) {
    if (row.depth == 0) {
      role = role_of_section(row.name, pool);
      continue;
    }
    if (row.depth == 1) status.layout.push_back({role, kind_of(row.name), {}});
    if (status.layout.empty()) continue;
    Vdev& vdev = status.layout.back();
    // A mirror or raidz has its devices below itself.
    if (row.depth > 1 || vdev.kind.empty()) vdev.devices.push_back(row.name);
  }
  if (!status.state.empty() && !status.layout.empty()) return status;
  throw Error(COWBENCH_TOOL_FAILED,
              "zpool status shows no configuration of pool " + pool);
}

Layout on_devices(const Layout& found,
                  const std::vector<std::string>& devices) {
  Layout layout;
  for (const Vdev& vdev : found) {
    // The distributed spares of a draid are part of it.
    if (vdev.role == "spare") continue;
    const bool joins = !layout.empty() && vdev.kind.empty() &&
                       layout.back().kind.empty() &&
                       layout.back().role == vdev.role;
    if (!joins) layout.push_back({vdev.role, vdev.kind, {}});
    for (const std::string& leaf : vdev.devices) {
      const auto device = std::find_if(
          devices.begin(), devices.end(), [&leaf](const std::string& path) {
            return leaf == path || leaf == first_partition(path);
          });
      layout.back().devices.push_back(device == devices.end() ? leaf : *device);
    }
  }
  return layout;
}

std::vector<std::string> leaves_of(const Layout& layout) {
  std::vector<std::string> leaves;
  for (const Vdev& vdev : layout) {
    if (vdev.role == "spare") continue;
    leaves.insert(leaves.end(), vdev.devices.begin(), vdev.devices.end());
  }
  return leaves;
}

// The pool's own line begins with its name, those of vdevs and their devices
// with a tabulator, those of sections ("special") with neither figures nor
// one. Only a vdev's line has an allocation.
std::vector<VdevSpace> parse_space(const std::string& text) {
  constexpr std::size_t kName = 1, kAllocated = 3;
  std::vector<VdevSpace> vdevs;
  bool counts = true;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.empty()) continue;
    if (!fields[0].empty()) {
      // A section's line is filled with blanks.
      const std::string section = fields[0].substr(0, fields[0].find(' '));
      counts = section != "logs" && section != "cache" && section != "spare";
      continue;
    }
    if (!counts || fields.size() <= kAllocated) continue;
    if (fields[kAllocated] == "-") {
      if (!vdevs.empty()) ++vdevs.back().devices;
      continue;
    }
    VdevSpace vdev;
    vdev.kind = kind_of(fields[kName]);
    vdev.devices = vdev.kind.empty() ? 1 : 0;
    vdev.allocated_bytes =
        to_number("allocation of " + fields[kName], fields[kAllocated]);
    vdevs.push_back(vdev);
  }
  if (!vdevs.empty()) return vdevs;
  throw Error(COWBENCH_TOOL_FAILED, "zpool list -v shows no vdev");
}

std::uint64_t allocated_raw_bytes(const std::vector<VdevSpace>& vdevs) {
  std::uint64_t bytes = 0;
  for (const VdevSpace& vdev : vdevs) {
    bytes += vdev.allocated_bytes *
             (vdev.kind == "mirror" ? vdev.devices : std::size_t{1});
  }
  return bytes;
}

std::string parse_ashifts(const std::string& text) {
  std::set<std::string> values;
  for (const std::string& line : lines_of(text)) {
    if (!line.empty() && line != "0" && line != "-") values.insert(line);
  }
  std::string joined;
  for (const std::string& value : values) {
    joined += (joined.empty() ? "" : " ") + value;
  }
  return joined;
}

std::string parse_version(const std::string& text, const std::string& which) {
  for (const std::string& line : lines_of(text)) {
    const std::string head = which + "-";
    if (line.rfind(head, 0) != 0 || line.size() <= head.size()) continue;
    std::string version = line.substr(head.size());
    if (version.front() >= '0' && version.front() <= '9') return version;
  }
  return {};
}

}  // namespace cowbench::zfs
