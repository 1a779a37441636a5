// SPDX-License-Identifier: Apache-2.0
// The phase's runs of fio, each as the options that make it. Pure.
#pragma once

#include <string>
#include <vector>

#include "fio/run.hpp"
#include "throughput/settings.hpp"

namespace cowbench::throughput {

// The file that is streamed, then read.
std::string stream_file(const std::string& directory);

fio::Request stream_write(const Settings& settings,
                          const std::string& directory);
fio::Request stream_read(const Settings& settings,
                         const std::string& directory);

// Random writes of one series, a file for each job. sharded: each process
// lays its file out itself.
fio::Request random_write(const Settings& settings, const Series& series,
                          bool sharded, const std::string& directory,
                          std::uint64_t seed);
// The files of such a request.
std::vector<std::string> files_of(const fio::Request& request);

// Random reads of one series, each job within a range of its own.
fio::Request random_read(const Settings& settings, const Series& series,
                         const std::string& directory, std::uint64_t seed);

// The seeds of a request's jobs, joined by blanks, for the conditions.
std::string seeds_of(const fio::Request& request);

}  // namespace cowbench::throughput
