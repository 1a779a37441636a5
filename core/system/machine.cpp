// SPDX-License-Identifier: Apache-2.0
#include "system/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "system/file.hpp"
#include "system/host_load.hpp"
#include "system/sysfs.hpp"

namespace cowbench {
namespace {

std::string or_empty(Result<std::string> content) {
  return content ? std::move(*content) : std::string();
}

// The value of the first "name : value" line of /proc/cpuinfo.
std::string cpuinfo_value(std::string_view cpuinfo, std::string_view name) {
  for (const auto& line : split(cpuinfo, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    if (trim(std::string_view(line).substr(0, colon)) == name) {
      return std::string(trim(std::string_view(line).substr(colon + 1)));
    }
  }
  return {};
}

bool in_container() {
  if (path_exists("/.dockerenv") || path_exists("/run/.containerenv")) {
    return true;
  }
  const auto variables = split(or_empty(read_file("/proc/1/environ")), '\0');
  return std::any_of(variables.begin(), variables.end(),
                     [](const std::string& variable) {
                       return variable.starts_with("container=");
                     });
}

std::string virtualisation(const std::string& cpuinfo) {
  std::string hypervisor = read_trimmed("/sys/hypervisor/type");
  if (!hypervisor.empty()) return hypervisor;
  const std::string dmi = "/sys/class/dmi/id/";
  return parse_virtualisation(read_trimmed(dmi + "sys_vendor"),
                              read_trimmed(dmi + "product_name"), cpuinfo);
}

// This process's folders in the cgroup tree, from its own up to the root: a
// limit on any of them counts.
std::vector<std::string> cgroup_folders() {
  std::vector<std::string> folders;
  for (const auto& line :
       split(or_empty(read_file("/proc/self/cgroup")), '\n')) {
    if (!line.starts_with("0::")) continue;
    std::string path = line.substr(3);
    while (path.size() > 1) {
      folders.push_back("/sys/fs/cgroup" + path);
      path.resize(path.rfind('/'));
    }
  }
  folders.push_back("/sys/fs/cgroup");
  return folders;
}

std::uint64_t cgroup_memory_limit() {
  std::uint64_t lowest = 0;
  for (const auto& folder : cgroup_folders()) {
    // "max" reads as 0.
    const auto limit = sysfs_number(folder + "/memory.max");
    if (limit != 0 && (lowest == 0 || limit < lowest)) lowest = limit;
  }
  return lowest;
}

double cgroup_cpu_limit() {
  double lowest = 0;
  for (const auto& folder : cgroup_folders()) {
    const double cores = parse_cpu_max(read_trimmed(folder + "/cpu.max"));
    if (cores != 0 && (lowest == 0 || cores < lowest)) lowest = cores;
  }
  return lowest;
}

std::string distribution() {
  const auto text = or_empty(read_file("/etc/os-release"));
  return parse_os_release(
      text.empty() ? or_empty(read_file("/usr/lib/os-release")) : text);
}

}  // namespace

std::string parse_os_release(std::string_view text) {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  for (const auto& line : split(text, '\n')) {
    if (!line.starts_with(kKey)) continue;
    std::string_view value = trim(std::string_view(line).substr(kKey.size()));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
  }
  return {};
}

std::string parse_virtualisation(std::string_view vendor,
                                 std::string_view product,
                                 std::string_view cpuinfo) {
  constexpr std::pair<std::string_view, const char*> kMakers[] = {
      {"QEMU", "kvm"},
      {"KVM", "kvm"},
      {"VMware", "vmware"},
      {"VirtualBox", "virtualbox"},
      {"innotek", "virtualbox"},
      {"Xen", "xen"},
      {"Amazon EC2", "amazon"},
      {"Google Compute Engine", "google"},
      {"Virtual Machine", "microsoft"},
      {"Parallels", "parallels"},
      {"BHYVE", "bhyve"},
      {"OpenStack", "kvm"}};
  const auto flags = cpuinfo_value(cpuinfo, "flags");
  const auto names = split(flags, ' ');
  const bool guest =
      std::find(names.begin(), names.end(), "hypervisor") != names.end();
  for (const auto& [maker, name] : kMakers) {
    const bool named = vendor.find(maker) != std::string_view::npos ||
                       product.find(maker) != std::string_view::npos;
    // A bare-metal cloud host has the vendor but no hypervisor under it.
    if (named && (guest || flags.empty())) return name;
  }
  return guest ? "vm" : "none";
}

double parse_cpu_max(std::string_view text) {
  std::uint64_t quota = 0;
  std::uint64_t period = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, quota);
  if (parsed.ec != std::errc() || parsed.ptr == end) return 0;
  const auto rest = std::from_chars(parsed.ptr + 1, end, period);
  if (rest.ec != std::errc() || period == 0) return 0;
  return static_cast<double>(quota) / static_cast<double>(period);
}

std::string boot_id() {
  return read_trimmed("/proc/sys/kernel/random/boot_id");
}

std::string module_version(const std::string& module) {
  return read_trimmed("/sys/module/" + module + "/version");
}

bool module_present(const std::string& module) {
  return path_exists("/sys/module/" + module);
}

Machine describe_machine() {
  Machine machine;
  utsname names{};
  if (uname(&names) == 0) {
    machine.kernel_release = names.release;
    machine.kernel_version = names.version;
    machine.architecture = names.machine;
  }
  const auto cpuinfo = or_empty(read_file("/proc/cpuinfo"));
  machine.distribution = distribution();
  machine.cpu_model = cpuinfo_value(cpuinfo, "model name");
  machine.cores_online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const auto memory = parse_meminfo(or_empty(read_file("/proc/meminfo")));
  machine.memory_bytes = memory.total_bytes;
  machine.swap_bytes = memory.swap_total_bytes;
  machine.virtualisation = virtualisation(cpuinfo);
  machine.container = in_container();
  machine.cgroup_memory_limit_bytes = cgroup_memory_limit();
  machine.cgroup_cpu_limit = cgroup_cpu_limit();
  machine.cpu_governor =
      read_trimmed("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  machine.boot_id = boot_id();
  return machine;
}

}  // namespace cowbench
