// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <set>

#include "base/text.hpp"
#include "system/block.hpp"
#include "system/device_number.hpp"
#include "system/file.hpp"
#include "system/mount.hpp"
#include "system/proc.hpp"
#include "system/process_list.hpp"

namespace cowbench {
namespace {

std::string link_text(const std::string& link) {
  char text[PATH_MAX];
  const ssize_t length = readlink(link.c_str(), text, sizeof text);
  return length < 0 ? std::string()
                    : std::string(text, static_cast<std::size_t>(length));
}

std::optional<DeviceNumber> block_number(const std::string& path) {
  struct stat facts {};
  // Only nodes in /dev are looked at: others may lie on a stuck filesystem.
  if (!path.starts_with("/dev/") || stat(path.c_str(), &facts) != 0 ||
      !S_ISBLK(facts.st_mode)) {
    return std::nullopt;
  }
  return device_number(facts.st_rdev);
}

// What is looked for: a block device by its number, or a path and all below.
struct Wanted {
  std::string path;
  std::optional<DeviceNumber> device;

  // link: a link of /proc; text: what it points to, by name.
  bool matches(const std::string& link, const std::string& text) const {
    if (!device) {
      return text == path || text == path + " (deleted)" ||
             text.starts_with(path == "/" ? path : path + "/");
    }
    struct stat facts {};
    return text.starts_with("/dev/") && stat(link.c_str(), &facts) == 0 &&
           S_ISBLK(facts.st_mode) && device_number(facts.st_rdev) == *device;
  }
};

void add_process(const Wanted& wanted, pid_t pid,
                 std::vector<Holder>& holders) {
  const auto add = [&](const std::string& reason) {
    holders.push_back({pid, command_of(pid), reason});
  };
  const std::string descriptors = proc_path(pid, "fd");
  for (const auto& number : list_folder(descriptors)) {
    const std::string link = descriptors + "/" + number;
    if (wanted.matches(link, link_text(link))) add("open as fd " + number);
  }
  if (wanted.device) return;
  constexpr const char* kPlaces[][2] = {{"cwd", "current directory"},
                                        {"root", "root directory"},
                                        {"exe", "running program"}};
  for (const auto& [name, reason] : kPlaces) {
    const std::string link = proc_path(pid, name);
    if (wanted.matches(link, link_text(link))) add(reason);
  }
}

// Mounts of the device in every mount namespace, each looked at once.
void add_mounts(DeviceNumber device, std::vector<Holder>& holders) {
  std::set<std::string> seen{link_text("/proc/self/ns/mnt")};
  const auto add = [&](const std::string& table, const std::string& where) {
    const auto text = read_file(table);
    if (!text) return;
    for (const auto& entry : parse_mountinfo(*text)) {
      if (entry.device == device ||
          block_number(entry.source) == std::optional(device)) {
        holders.push_back({0, "", "mounted on " + entry.target + where});
      }
    }
  };
  add("/proc/self/mountinfo", "");
  for (const pid_t pid : all_pids()) {
    const auto space = link_text(proc_path(pid, "ns/mnt"));
    if (!space.empty() && seen.insert(space).second) {
      add(proc_path(pid, "mountinfo"),
          " in the mount namespace of pid " + std::to_string(pid));
    }
  }
}

void add_kernel_users(DeviceNumber device, std::vector<Holder>& holders) {
  const std::string folder = "/sys/dev/block/" + device.text() + "/holders";
  for (const auto& name : list_folder(folder)) {
    holders.push_back({0, "", "used by block device " + name});
  }
  const auto swaps = read_file("/proc/swaps");
  if (!swaps) return;
  for (const auto& path : parse_swaps(*swaps)) {
    if (block_number(path) == std::optional(device)) {
      holders.push_back({0, "", "in use as swap"});
    }
  }
}

}  // namespace

std::vector<Holder> holders_of(const std::string& path) {
  Wanted wanted{path, block_number(path)};
  if (!wanted.device && !find_mount(path)) wanted.path = canonical_path(path);
  std::vector<Holder> holders;
  for (const pid_t pid : all_pids()) add_process(wanted, pid, holders);
  if (wanted.device) {
    add_mounts(*wanted.device, holders);
    add_kernel_users(*wanted.device, holders);
  }
  return holders;
}

std::string describe_holders(const std::vector<Holder>& holders) {
  if (holders.empty()) return "no holder found";
  std::vector<std::string> parts;
  for (const auto& holder : holders) {
    parts.push_back(holder.pid == 0
                        ? holder.reason
                        : "pid " + std::to_string(holder.pid) + " (" +
                              holder.command + "): " + holder.reason);
  }
  return "held by: " + join(parts, "; ");
}

}  // namespace cowbench
