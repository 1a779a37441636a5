// SPDX-License-Identifier: Apache-2.0
#include "large_directory.hpp"

#include <string>

#include "workloads/clock.hpp"
#include "workloads/directory.hpp"
#include "workloads/quantile.hpp"
#include "workloads/section.hpp"

namespace cowbench {

using workloads::elapsed_ns;
using workloads::run_cold_section;
using workloads::run_section;

namespace {

constexpr int kWarmPasses = 3;

// An inode and a directory entry with the slack of large inodes, and as much
// again for what a journal or a log-structured tree writes twice.
constexpr std::uint64_t kBytesPerFile = 2048;

}  // namespace

Estimate LargeDirectoryPhase::estimate() {
  const std::uint64_t files = host().amount("files");
  Estimate estimate;
  estimate.written_bytes = 2 * files * kBytesPerFile;
  estimate.peak_bytes = files * kBytesPerFile;
  estimate.duration_ns = 8'000'000'000 + files * 120'000;
  return estimate;
}

void LargeDirectoryPhase::require_all(const char* loop,
                                      std::uint64_t found) const {
  const std::uint64_t files = host().amount("files");
  if (found == files) return;
  throw Error(COWBENCH_TOOL_FAILED, std::string(loop) + " in " +
                                        host().directory() + ": found " +
                                        std::to_string(found) + " of " +
                                        std::to_string(files) + " files");
}

void LargeDirectoryPhase::run() {
  const std::uint64_t files = host().amount("files");
  workloads::LargeDirectory directory(host().directory() + "/large", files);
  const workloads::Conditions conditions = {{"files", std::to_string(files)}};
  std::uint64_t found = 0;

  host().progress(0, "creating");
  const auto create = run_section(host(), "create", [&] {
    return elapsed_ns([&] {
      found = directory.create();
      host().sync();
    });
  });
  require_all("create", found);
  host().emit(value_of("largedir_create_ms", create, conditions));

  host().progress(0.3, "listing, cold");
  const auto names = run_cold_section(host(), "list_cold", [&] {
    return elapsed_ns([&] { found = directory.enumerate(); });
  });
  require_all("list", found);
  host().emit(cold_value_of("largedir_readdir_cold_ms", names,
                            prove_cold_metadata(host(), names.io, files, false),
                            conditions));

  const auto stat = [&] {
    return elapsed_ns([&] { found = directory.enumerate_and_stat(); });
  };
  host().progress(0.45, "stat, cold");
  const auto cold = run_cold_section(host(), "stat_cold", stat);
  require_all("stat", found);
  host().emit(cold_value_of("largedir_stat_cold_ms", cold,
                            prove_cold_metadata(host(), cold.io, files, true),
                            conditions));

  host().progress(0.6, "stat, warm");
  Value warm;
  warm.key = "largedir_stat_warm_ms";
  warm.conditions = conditions;
  for (int pass = 0; pass < kWarmPasses; ++pass) {
    warm.samples.push_back(run_section(host(), "stat_warm", stat).ms());
    require_all("stat", found);
  }
  warm.value = *workloads::median(warm.samples);
  host().emit(warm);

  host().progress(0.7, "deleting");
  const auto removed = run_section(host(), "delete", [&] {
    return elapsed_ns([&] {
      found = directory.remove();
      host().sync();
    });
  });
  require_all("delete", found);
  host().emit(value_of("largedir_delete_ms", removed, conditions));
}

}  // namespace cowbench
