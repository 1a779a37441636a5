// SPDX-License-Identifier: Apache-2.0
// Runs fio through the host and judges how it went.
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "fio/report.hpp"

namespace cowbench::fio {

// One process of fio: "filename=/mnt/x", "offset=4096", ...
struct Job {
  std::string name;
  std::vector<std::string> options;
};

// One run: options of all jobs, then each job's own.
struct Request {
  std::string name;  // of the section, and of the file with the raw output
  std::vector<std::string> options;
  std::vector<Job> jobs;
};

// The argument vector. JSON goes into `output_path`, apart from what fio says
// on its standard streams.
std::vector<std::string> command_line(const Request& request,
                                      const std::string& output_path);

// Turns the end of a run into its report, or throws an Error that says what
// went wrong: stopped, out of time, killed, no output, text only, an unknown
// shape, a job that failed, an exit status, a job that is missing. `output` is
// what fio wrote into its file.
Report judge(const Request& request, const CommandResult& result,
             const std::string& output);

// Runs fio, outside of any section; the raw output stays in the phase's
// artifact directory as fio-<name>.json. What fio says beside its report is
// logged. Throws as judge() does, and COWBENCH_NOT_AVAILABLE when fio can't be
// started. It has ended when this returns.
Report run(const Host& host, const Request& request);

// The same with create_only: lays the jobs' files out, and leaves the writing
// to a later run of the same request.
void lay_out(const Host& host, const Request& request);

struct Measurement {
  Report report;
  cowbench_io io;  // what the members did within the section
};

// Quiesces, then runs fio in a timed section named like the request.
Measurement measure(const Host& host, const Request& request);

// A seed for one job, out of the job's seed, the request's name and the job's
// number: never 0, and short enough for every release's randseed option.
std::uint64_t derive_seed(std::uint64_t seed, const std::string& name,
                          std::uint64_t index);

// Reports fio's version to the host.
void report_version(const Host& host);

}  // namespace cowbench::fio
