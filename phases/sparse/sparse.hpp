// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/phase.hpp>

namespace cowbench {

namespace sparse {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_SIZE, "sparse_size", "1GiB",
           "to which an empty file is extended; the published size", 1,
           1099511627776.0),
    option(COWBENCH_TYPE_SIZE, "written_size", "256MiB",
           "of the written file that is extended; the published size", 1,
           1099511627776.0),
    option(COWBENCH_TYPE_SIZE, "grown_size", "512MiB",
           "to which the written file is extended; the published size", 1,
           1099511627776.0),
    option(COWBENCH_TYPE_INTEGER, "samples", "30",
           "extensions timed of each kind; one alone is mostly noise", 1,
           10000),
};

inline constexpr cowbench_metric kMetrics[] = {
    metric("sparse_create_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Extend an empty file",
           "Median time to ftruncate an empty, durable file to its sparse "
           "size and fsync it."),
    metric("sparse_create_bytes", "B", COWBENCH_LOWER_IS_BETTER,
           "Blocks behind an empty file",
           "Bytes allocated to such a file after a flush of the filesystem; "
           "the median over the files.",
           1, true),
    metric("sparse_grow_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Extend a written file",
           "Median time to ftruncate a fully written, durable file to about "
           "twice its size and fsync it."),
    metric("sparse_grow_bytes", "B", COWBENCH_NEITHER_IS_BETTER,
           "Blocks added by that",
           "Change of the bytes allocated to that file by the extension, "
           "after a flush of the filesystem; the median over the extensions.",
           1, true),
};

}  // namespace sparse

// Extends files without writing to them. Method: README.md.
class SparsePhase : public Phase {
 public:
  static constexpr PhaseInfo info() {
    PhaseInfo info{{"org.cowbench.sparse", "sparse", "0.1.0",
                    "extend empty and written files"}};
    info.metrics = sparse::kMetrics;
    info.options = sparse::kOptions;
    return info;
  }

  explicit SparsePhase(Host host) : Phase(host) {}

  Estimate estimate() override;
  void run() override;

 private:
  void extend_empty_files();
  void extend_written_file();
};

}  // namespace cowbench
