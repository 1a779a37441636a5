// SPDX-License-Identifier: Apache-2.0
// The machine a result was made on. Nothing in here tells whose it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

// Text that could not be found is empty, a limit that is not set is 0.
struct Machine {
  std::string kernel_release;
  std::string kernel_version;
  std::string distribution;
  std::string architecture;
  std::string cpu_model;
  int cores_online = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t swap_bytes = 0;
  std::string virtualisation;  // "none", "kvm", "vmware", ..., "vm"
  bool container = false;
  std::uint64_t cgroup_memory_limit_bytes = 0;
  double cgroup_cpu_limit = 0;  // in cores
  std::string cpu_governor;
  std::string boot_id;
};

Machine describe_machine();
std::string boot_id();

// The version of a loaded or built-in kernel module; empty when it has none.
std::string module_version(const std::string& module);
// Whether the kernel has it now: loaded, or built in with parameters.
bool module_present(const std::string& module);

// PRETTY_NAME of an os-release file.
std::string parse_os_release(std::string_view text);
// The text of a cgroup's cpu.max ("200000 100000") in cores; 0: no limit.
double parse_cpu_max(std::string_view text);
// From DMI vendor and product, and the text of /proc/cpuinfo.
std::string parse_virtualisation(std::string_view vendor,
                                 std::string_view product,
                                 std::string_view cpuinfo);

}  // namespace cowbench
