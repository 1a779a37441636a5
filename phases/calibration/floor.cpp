// SPDX-License-Identifier: Apache-2.0
#include "calibration/floor.hpp"

#include "workloads/clock.hpp"
#include "workloads/directory.hpp"
#include "workloads/tree.hpp"

namespace cowbench::calibration {
namespace {

// tmpfs has nothing to flush.
void no_flush() {}

void emit_ms(const Host& host, const char* key, std::uint64_t took_ns,
             std::uint64_t files) {
  Value value;
  value.key = key;
  value.value = static_cast<double>(took_ns) / 1e6;
  value.observations = files;
  value.conditions = {{"files", std::to_string(files)}};
  host.emit(value);
}

void measure_tree(const Host& host) {
  workloads::TreePlan plan;
  plan.files = static_cast<std::uint32_t>(host.integer("tree_files"));
  plan.directories =
      static_cast<std::uint32_t>(host.integer("tree_directories"));
  plan.seed = host.seed();
  const workloads::SourceTree tree(plan);
  const std::string root = host.memory_directory() + "/tree";
  const std::uint64_t took_ns = tree.create(root, 1, no_flush);
  workloads::remove_tree(root, tree.counts(), no_flush);
  emit_ms(host, "floor_tree_create_ms", took_ns, plan.files);
}

void measure_directory(const Host& host) {
  using workloads::LargeDirectory;
  struct Step {
    const char* key;
    std::uint64_t (LargeDirectory::*loop)();
  };
  constexpr Step kSteps[] = {
      {"floor_largedir_create_ms", &LargeDirectory::create},
      {"floor_largedir_readdir_ms", &LargeDirectory::enumerate},
      {"floor_largedir_stat_ms", &LargeDirectory::enumerate_and_stat},
      {"floor_largedir_delete_ms", &LargeDirectory::remove},
  };
  LargeDirectory directory(host.memory_directory() + "/large",
                           host.amount("directory_files"));
  for (const Step& step : kSteps) {
    host.throw_if_stopped();
    const std::uint64_t begin = workloads::monotonic_ns();
    const std::uint64_t count = (directory.*step.loop)();
    const std::uint64_t took_ns = workloads::monotonic_ns() - begin;
    if (count != directory.files()) {
      throw Error(COWBENCH_INTERNAL, std::string(step.key) + ": the loop saw " +
                                         std::to_string(count) + " of " +
                                         std::to_string(directory.files()) +
                                         " files");
    }
    emit_ms(host, step.key, took_ns, count);
  }
}

}  // namespace

void measure_floor(const Host& host) {
  measure_tree(host);
  measure_directory(host);
}

}  // namespace cowbench::calibration
