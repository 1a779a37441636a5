// SPDX-License-Identifier: Apache-2.0
#include "source_tree.hpp"

#include <string>

#include "workloads/section.hpp"

namespace cowbench {

using workloads::copy_tree;
using workloads::remove_tree;
using workloads::require_tree;
using workloads::run_cold_section;
using workloads::run_section;

namespace {

constexpr unsigned kWorkers = 4;

// Trees that are written in all: one untimed, by four workers, by one, the
// copy. Two of them exist at a time.
constexpr std::uint64_t kTreesWritten = 4;
constexpr std::uint64_t kTreesKept = 2;

// A file's data and inode with the slack of large blocks.
constexpr std::uint64_t kPeakBytesPerFile = 16384;

}  // namespace

workloads::TreePlan SourceTreePhase::plan() const {
  workloads::TreePlan plan;
  plan.files = static_cast<std::uint32_t>(host().integer("files"));
  plan.directories = static_cast<std::uint32_t>(host().integer("directories"));
  plan.seed = host().seed();
  return plan;
}

Estimate SourceTreePhase::estimate() {
  const std::uint64_t files = plan().files;
  Estimate estimate;
  // 1, 2, 4 and 8 KiB with equal chances.
  estimate.written_bytes = files * 3840 * kTreesWritten;
  estimate.peak_bytes = files * kPeakBytesPerFile * kTreesKept;
  estimate.duration_ns = 5'000'000'000 + files * 500'000;
  return estimate;
}

void SourceTreePhase::run() {
  const workloads::SourceTree tree(plan());
  const auto& counts = tree.counts();
  const workloads::Conditions conditions = {
      {"files", std::to_string(counts.files)},
      {"directories", std::to_string(counts.directories)},
      {"bytes", std::to_string(counts.bytes)}};
  const std::string root = host().directory() + "/tree";
  const std::string copy = host().directory() + "/copy";
  const auto flush = [this] { host().sync(); };

  // The first tree on a filesystem pays for what later ones find allocated.
  // This one does so for both creations that count, which thus start from
  // the same state: after the removal of such a tree.
  host().progress(0, "preparing");
  tree.create(root, 1, flush);
  remove_tree(root, counts, flush);

  host().progress(0.2, "creating by four workers");
  const auto create4 = run_section(
      host(), "create4", [&] { return tree.create(root, kWorkers, flush); });
  require_tree(root, counts);
  host().emit(value_of("smalltree_create4_ms", create4, conditions));
  remove_tree(root, counts, flush);

  host().progress(0.4, "creating by one worker");
  const auto create = run_section(host(), "create",
                                  [&] { return tree.create(root, 1, flush); });
  require_tree(root, counts);
  host().emit(value_of("smalltree_create_ms", create, conditions));

  host().progress(0.6, "copying");
  const auto copied = run_cold_section(
      host(), "copy", [&] { return copy_tree(root, copy, flush); });
  require_tree(copy, counts);
  host().emit(cold_value_of("smalltree_cp_ms", copied,
                            prove_cold_data(copied.io, counts.bytes),
                            conditions));

  host().progress(0.9, "deleting");
  const auto removed = run_section(
      host(), "delete", [&] { return remove_tree(copy, counts, flush); });
  host().emit(value_of("smalltree_rm_ms", removed, conditions));
}

}  // namespace cowbench
