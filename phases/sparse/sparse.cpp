// SPDX-License-Identifier: Apache-2.0
#include "sparse.hpp"

#include <fcntl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "workloads/clock.hpp"
#include "workloads/posix.hpp"
#include "workloads/quantile.hpp"
#include "workloads/section.hpp"
#include "workloads/stream_data.hpp"

namespace cowbench {

using workloads::elapsed_ns;
using workloads::OpenFile;
using workloads::StreamData;

namespace {

constexpr int kNewFile = O_WRONLY | O_CREAT | O_EXCL;

// The timed act of this phase, in ms.
double extend_ms(OpenFile& file, std::uint64_t bytes) {
  const std::uint64_t took = elapsed_ns([&] {
    file.truncate(bytes);
    file.sync();
  });
  return static_cast<double>(took) / 1e6;
}

void write_durably(OpenFile& file, std::uint64_t bytes, std::uint64_t seed,
                   const Host& host) {
  const StreamData data(seed);
  std::uint64_t block = 0;
  for (std::uint64_t at = 0; at < bytes; at += StreamData::kBlockBytes) {
    host.throw_if_stopped();
    const std::uint64_t part = std::min(StreamData::kBlockBytes, bytes - at);
    file.write_at(data.block(block++), part, at);
  }
  file.sync();
}

Value median_of(const char* key, std::vector<double> samples,
                const workloads::Conditions& conditions) {
  Value value;
  value.key = key;
  value.value = *workloads::median(samples);
  value.samples = std::move(samples);
  value.conditions = conditions;
  return value;
}

}  // namespace

Estimate SparsePhase::estimate() {
  const std::uint64_t written = host().amount("written_size");
  const std::uint64_t samples = host().amount("samples");
  Estimate estimate;
  estimate.written_bytes = written;
  estimate.peak_bytes = written;
  // Data at 100 MiB/s, and some 20 ms for each of five flushes per sample.
  estimate.duration_ns = 3'000'000'000 + written * 10 + samples * 100'000'000;
  return estimate;
}

void SparsePhase::run() {
  if (host().amount("grown_size") <= host().amount("written_size")) {
    throw Error(COWBENCH_BAD_CONFIG,
                "grown_size must be above written_size, or nothing grows");
  }
  host().progress(0, "extending empty files");
  extend_empty_files();
  host().progress(0.4, "extending a written file");
  extend_written_file();
}

void SparsePhase::extend_empty_files() {
  const std::uint64_t size = host().amount("sparse_size");
  const std::uint64_t count = host().amount("samples");
  // All files exist durably before the first is timed: the making of the
  // next one must not be what a flush waits for.
  std::vector<OpenFile> files;
  for (std::uint64_t i = 0; i < count; ++i) {
    files.push_back(OpenFile::open(
        host().directory() + "/sparse" + std::to_string(i), kNewFile));
    files.back().sync();
  }
  std::vector<double> times_ms;
  workloads::run_section(host(), "extend_empty", [&] {
    return elapsed_ns([&] {
      for (OpenFile& file : files) times_ms.push_back(extend_ms(file, size));
    });
  });
  host().sync();
  std::vector<double> allocated;
  for (const OpenFile& file : files) {
    allocated.push_back(static_cast<double>(file.allocated_bytes()));
  }
  const workloads::Conditions conditions = {
      {"size_bytes", std::to_string(size)}};
  host().emit(median_of("sparse_create_ms", std::move(times_ms), conditions));
  host().emit(
      median_of("sparse_create_bytes", std::move(allocated), conditions));
}

void SparsePhase::extend_written_file() {
  const std::uint64_t written = host().amount("written_size");
  const std::uint64_t grown = host().amount("grown_size");
  const std::uint64_t count = host().amount("samples");
  OpenFile file = OpenFile::open(host().directory() + "/written", kNewFile);
  write_durably(file, written, host().seed(), host());

  std::vector<double> times_ms;
  std::vector<double> added;
  workloads::run_section(host(), "extend_written", [&] {
    return elapsed_ns([&] {
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto before = static_cast<double>(file.allocated_bytes());
        times_ms.push_back(extend_ms(file, grown));
        host().sync();
        added.push_back(static_cast<double>(file.allocated_bytes()) - before);
        // Back, untimed, and flushed so that the next extension doesn't pay
        // for it.
        file.truncate(written);
        file.sync();
        host().sync();
      }
    });
  });
  const workloads::Conditions conditions = {
      {"from_bytes", std::to_string(written)},
      {"to_bytes", std::to_string(grown)}};
  host().emit(median_of("sparse_grow_ms", std::move(times_ms), conditions));
  host().emit(median_of("sparse_grow_bytes", std::move(added), conditions));
}

}  // namespace cowbench
