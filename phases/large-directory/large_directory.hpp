// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/phase.hpp>

namespace cowbench {

namespace large_directory {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_INTEGER, "files", "100000",
           "empty files in the directory; the published size", 1, 100'000'000),
};

inline constexpr cowbench_metric kMetrics[] = {
    metric("largedir_create_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "One directory, create",
           "Time to create the empty files in one directory by ascending "
           "names, and to flush the filesystem."),
    metric("largedir_readdir_cold_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "One directory, list names, cold",
           "Time to read all names with cold caches."),
    metric("largedir_stat_cold_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "One directory, stat all, cold",
           "Time to read all names and stat each entry, in the order of the "
           "directory, with cold caches."),
    metric("largedir_stat_warm_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "One directory, stat all, warm",
           "The median of three repeats of that pass with warm caches."),
    metric("largedir_delete_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "One directory, delete all",
           "Time to read all names, unlink each in the order of the directory "
           "with warm caches, remove the directory, and flush the "
           "filesystem."),
};

}  // namespace large_directory

// One directory with many empty files. Method: README.md.
class LargeDirectoryPhase : public Phase {
 public:
  static constexpr PhaseInfo info() {
    PhaseInfo info{{"org.cowbench.large-directory", "large-directory", "0.1.0",
                    "create, list, stat and delete many files in one "
                    "directory"}};
    info.metrics = large_directory::kMetrics;
    info.options = large_directory::kOptions;
    return info;
  }

  explicit LargeDirectoryPhase(Host host) : Phase(host) {}

  Estimate estimate() override;
  void run() override;

 private:
  // Throws Error unless a loop has seen every file.
  void require_all(const char* loop, std::uint64_t found) const;
};

}  // namespace cowbench
