// SPDX-License-Identifier: Apache-2.0
#include "calibration/calibration.hpp"

#include <algorithm>
#include <sstream>

#include "calibration/disk.hpp"
#include "calibration/floor.hpp"
#include "calibration/processor.hpp"

namespace cowbench::calibration {

Estimate Calibration::estimate() {
  // Rates of an ordinary machine.
  constexpr std::uint64_t kStream = std::uint64_t{300} << 20;
  constexpr std::uint64_t kRandom = 10'000 * 4096;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::uint64_t runtime_s = host().amount("runtime") / kSecond;
  Estimate estimate;
  estimate.written_bytes = host().amount("file_size") + runtime_s * kRandom;
  estimate.peak_bytes =
      std::max(host().amount("file_size"), host().amount("random_size"));
  estimate.duration_ns = host().amount("file_size") * kSecond / kStream +
                         (runtime_s + 4) * kSecond;
  return estimate;
}

void Calibration::versions() { fio::report_version(host()); }

void Calibration::run() {
  host().progress(0, "CPU and memory");
  measure_processor(host());
  measure_memory(host());
  host().progress(0.1, "harness floor");
  measure_floor(host());
  host().progress(0.2, "backing store, stream write");
  const double stream = measure_stream_write(host());
  host().progress(0.4, "backing store, random write");
  const double random = measure_random_write(host());
  mark_if_below("floor_seqwrite_mbps", "stream write, MiB/s", stream);
  mark_if_below("floor_randwrite_iops", "random write, IOPS", random);
}

void Calibration::mark_if_below(const char* option, const char* what,
                                double figure) {
  const double least = host().number(option);
  if (figure >= least) return;
  std::ostringstream reason;
  reason << what << ": " << figure << " is below calibration." << option
         << " = " << least;
  host().mark("weak host", reason.str(), true);
}

}  // namespace cowbench::calibration
