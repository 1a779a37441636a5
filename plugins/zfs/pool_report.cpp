// SPDX-License-Identifier: Apache-2.0
// What is in effect: read back, compared with what was asked for, reported.
#include <algorithm>
#include <cowbench/mounted.hpp>
#include <fstream>
#include <sstream>

#include "zfs/pool.hpp"

namespace cowbench::zfs {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// "c_max  4  2047397888" out of the cache's statistics.
std::string statistic(const std::string& name) {
  std::ifstream file("/proc/spl/kstat/zfs/arcstats");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key, type, value;
    if (words >> key >> type >> value && key == name) return value;
  }
  return "not-available";
}

// Requires each "name=value" of what was asked for.
void require_properties(const std::string& what, const Properties& found,
                        const std::vector<std::string>& asked) {
  for (const std::string& one : asked) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos) {
      throw Error(COWBENCH_BAD_CONFIG,
                  "\"" + one + "\" is not of the form name=value");
    }
    const std::string name = one.substr(0, equals);
    require_effective(what + " " + name, one.substr(equals + 1),
                      property(found, name));
  }
}

// Of "draid1:2d:5c:1s" the number before `letter`; empty: not a draid.
std::string draid_part(const std::string& kind, char letter) {
  std::istringstream parts(kind);
  for (std::string part; std::getline(parts, part, ':');) {
    if (part.size() > 1 && part.back() == letter) {
      return part.substr(0, part.size() - 1);
    }
  }
  return {};
}

// What the structural options came to, out of the topology as zpool tells it.
void report_layout(const Host& host, const Layout& layout) {
  host.effective("topology", describe(layout));
  for (const char* role : {"special", "log", "cache"}) {
    Layout of_role;
    for (const Vdev& vdev : layout) {
      if (vdev.role == role) of_role.push_back(vdev);
    }
    if (!of_role.empty()) host.effective(role, describe(of_role));
  }
  for (const Vdev& vdev : layout) {
    if (vdev.role == "special") {
      host.effective("special_mirror",
                     vdev.kind == "mirror" ? "true" : "false");
    }
    if (vdev.role != "data") continue;
    host.effective("width", std::to_string(vdev.devices.size()));
    const std::string data = draid_part(vdev.kind, 'd');
    if (data.empty()) continue;
    host.effective("draid_data", data);
    host.effective("draid_spares", draid_part(vdev.kind, 's'));
  }
}

}  // namespace

std::string module_parameter(const std::string& name) {
  const std::string value = first_line("/sys/module/zfs/parameters/" + name);
  return value.empty() ? "not-available" : value;
}

void Pool::read_back() const {
  const Properties found = pool_properties();
  host_.set_state("guid", property(found, "guid"));
  const Status status = parse_status(
      host_.run_checked({"zpool", "status", "-P", name()}), name());
  std::string lines;
  for (const std::string& leaf : leaves_of(status.layout)) {
    lines += (lines.empty() ? "" : "\n") + leaf;
  }
  host_.set_state("leaves", lines);
  require_effective("state of the pool", "ONLINE", status.state);
  require_effective("topology", describe(make_layout(host_)),
                    describe(on_devices(status.layout, devices())));
  require_properties("pool property", found,
                     {"ashift=" + host_.text("ashift"),
                      "autotrim=" + host_.text("autotrim"), "cachefile=none"});
  require_properties("pool property", found,
                     host_.text_list("pool_properties"));
  const std::string ashifts = parse_ashifts(host_.run_checked(
      {"zpool", "get", "-Hp", "-o", "value", "ashift", name(), "all-vdevs"}));
  require_effective("ashift of the vdevs", host_.text("ashift"), ashifts);
  host_.effective("pool", name());
  host_.effective("guid", property(found, "guid"));
  report_layout(host_, status.layout);
  host_.effective("partitioned",
                  leaves_of(status.layout) == devices() ? "false" : "true");
  host_.effective("ashift", ashifts);
  for (const char* key :
       {"autotrim", "cachefile", "size", "feature@block_cloning"}) {
    const auto value = found.find(key);
    if (value != found.end()) host_.effective(key, value->second);
  }
}

// Since 2.3 "sa" and "on" are one value, which zfs shows as "on". That it is
// the dataset's own tells that ours was taken: it would be inherited or the
// default otherwise.
void Pool::resolve_xattr(Properties& found) const {
  if (!host_.has("xattr") || host_.text("xattr") != "sa") return;
  if (property(found, "xattr") != "on") return;
  const std::string source = host_.run_checked(
      {"zfs", "get", "-H", "-o", "source", "xattr", dataset()});
  if (source == "local\n") found["xattr"] = "sa";
}

void Pool::read_back_dataset(const std::vector<std::string>& properties) const {
  Properties found = dataset_properties();
  resolve_xattr(found);
  require_properties("property", found, properties);
  require_properties("property", found, own_properties());
  require_properties("property", found, key_properties());
  if (encrypted()) {
    require_effective("keystatus", "available", property(found, "keystatus"));
  }
  host_.set_state("dataset_guid", property(found, "guid"));
  report_dataset(found);
}

// Besides what was asked for, what else decides about speed and space.
void Pool::report_dataset(const Properties& found) const {
  for (const char* key : {"recordsize",
                          "volblocksize",
                          "volsize",
                          "volmode",
                          "refreservation",
                          "compression",
                          "checksum",
                          "atime",
                          "relatime",
                          "xattr",
                          "dnodesize",
                          "sync",
                          "encryption",
                          "keyformat",
                          "copies",
                          "logbias",
                          "primarycache",
                          "secondarycache",
                          "redundant_metadata",
                          "special_small_blocks",
                          "dedup",
                          "direct",
                          "prefetch",
                          "acltype"}) {
    const auto value = found.find(key);
    if (value != found.end()) host_.effective(key, value->second);
  }
}

void Pool::report_tunables() const {
  for (const char* parameter :
       {"zfs_arc_max", "zfs_bclone_enabled", "zfs_bclone_wait_dirty",
        "zfs_txg_timeout", "zfs_dirty_data_max"}) {
    host_.effective(parameter, module_parameter(parameter));
  }
  // What 0, the default of zfs_arc_max, comes to on this machine.
  host_.effective("arc_c_max", statistic("c_max"));
}

void Pool::report_versions() const {
  const std::string text = host_.run_checked({"zfs", "version"});
  host_.version("zfs", parse_version(text, "zfs"));
  host_.version("zfs-kmod", first_line("/sys/module/zfs/version"));
}

}  // namespace cowbench::zfs
