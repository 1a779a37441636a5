// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/phase.hpp>

#include "workloads/tree.hpp"

namespace cowbench {

namespace source_tree {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_INTEGER, "files", "20000",
           "files in the tree; the published size", 1, 10'000'000),
    option(COWBENCH_TYPE_INTEGER, "directories", "200",
           "directories they lie in, evenly; the published number", 1, 100'000),
};

inline constexpr cowbench_metric kMetrics[] = {
    metric("smalltree_create_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Source tree create",
           "Time to create the tree by one worker from contents prepared in "
           "memory, and to flush the filesystem."),
    metric("smalltree_create4_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Source tree create, 4 workers",
           "The same tree created by four threads, each with directories of "
           "its own."),
    metric("smalltree_cp_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Source tree copy, cold",
           "Time to copy the tree recursively by read and write with cold "
           "caches, and to flush the filesystem."),
    metric("smalltree_rm_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Source tree delete",
           "Time to delete the copied tree recursively with warm caches, and "
           "to flush the filesystem."),
};

}  // namespace source_tree

// Creates, copies and deletes a tree like that of a program's source. Method:
// README.md.
class SourceTreePhase : public Phase {
 public:
  static constexpr PhaseInfo info() {
    PhaseInfo info{{"org.cowbench.source-tree", "source-tree", "0.1.0",
                    "create, copy and delete a tree of small files"}};
    info.metrics = source_tree::kMetrics;
    info.options = source_tree::kOptions;
    return info;
  }

  explicit SourceTreePhase(Host host) : Phase(host) {}

  Estimate estimate() override;
  void run() override;

 private:
  workloads::TreePlan plan() const;
};

}  // namespace cowbench
