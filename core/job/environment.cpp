// SPDX-License-Identifier: Apache-2.0
#include "job/environment.hpp"

#include "system/machine.hpp"

namespace cowbench {

void write_environment(JsonWriter& json, bool emulated) {
  const Machine machine = describe_machine();
  json.begin_object()
      .field("kernel", machine.kernel_release)
      .field("kernel_version", machine.kernel_version)
      .field("distribution", machine.distribution)
      .field("architecture", machine.architecture)
      .field("cpu_model", machine.cpu_model)
      .field("cpu_cores", machine.cores_online)
      .field("memory_bytes", machine.memory_bytes)
      .field("swap_bytes", machine.swap_bytes)
      .field("virtualisation", emulated ? "tcg" : machine.virtualisation)
      .field("governor", machine.cpu_governor)
      .field("cgroup_memory_bytes", machine.cgroup_memory_limit_bytes)
      .field("cgroup_cpus", machine.cgroup_cpu_limit)
      .field("emulated", emulated)
      .end_object();
}

}  // namespace cowbench
