// SPDX-License-Identifier: Apache-2.0
// What fio reports, in one set of units whatever release wrote it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cowbench::fio {

// One direction of one job.
struct Transfer {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  double runtime_s = 0;  // fio measures it in whole milliseconds
};

// The flushes (fsync, fdatasync) of one job. Percentiles are middles of fio's
// histogram buckets, which are up to 1.6 % wide.
struct Flushes {
  std::uint64_t count = 0;
  std::map<double, double> percentiles_ms;  // by per cent
};

struct JobReport {
  std::string name;
  int error = 0;  // errno; 0: none
  Transfer read;
  Transfer write;
  Flushes flushes;
};

struct Report {
  std::string version;  // "fio-3.33"
  std::vector<JobReport> jobs;
  std::string diagnostics;  // text around the document, trimmed
};

// Finds the JSON document in fio's output and reads it. The document starts
// at a line that opens an object and parses as one with "jobs"; what else
// there is becomes `diagnostics`. Units go by the keys found: with
// "io_kbytes" beside it (fio 3) io_bytes are bytes, else KiB; "lat_ns" are
// nanoseconds, "lat" microseconds.
// Throws Error(COWBENCH_TOOL_FAILED): no output, text only, a broken document
// or a shape that isn't known, with the place in it.
Report parse_report(const std::string& text);

// All jobs of a report taken together, in one direction.
struct Total {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  double runtime_s = 0;  // of the job that took longest

  double mib_per_s() const;
  double iops() const;
};
Total total(const Report& report, Transfer JobReport::*direction);

}  // namespace cowbench::fio
