// SPDX-License-Identifier: Apache-2.0
#include "throughput/requests.hpp"

namespace cowbench::throughput {
namespace {

constexpr const char* kFilename = "filename=";
constexpr const char* kSeed = "randseed=";

std::string sized(const char* key, std::uint64_t bytes) {
  return std::string(key) + "=" + std::to_string(bytes);
}

// Synchronous system calls through the page cache, as published. Data are
// fio's default: a random buffer, incompressible, into which each write
// stamps its offset and time, so that no two blocks are the same. Not
// refill_buffers, which would charge the filesystem for the making of random
// data.
std::vector<std::string> common(const char* direction,
                                std::uint64_t block_bytes) {
  return {"ioengine=psync", "direct=0", std::string("rw=") + direction,
          sized("bs", block_bytes)};
}

fio::Request stream(const char* name, const char* direction,
                    const Settings& settings, const std::string& directory) {
  fio::Request request;
  request.name = name;
  request.options = common(direction, kStreamBlock);
  request.options.push_back(sized("size", settings.file_bytes));
  request.jobs = {{name, {kFilename + stream_file(directory)}}};
  return request;
}

// What both random requests have, without jobs.
fio::Request random(const std::string& name, const char* direction) {
  fio::Request request;
  request.name = name;
  request.options = common(direction, kRandomBlock);
  // Every job gets a seed of its own; without this fio would take it for all
  // runs alike.
  request.options.push_back("randrepeat=0");
  return request;
}

std::vector<std::string> values_of(const fio::Request& request,
                                   const std::string& key) {
  std::vector<std::string> values;
  for (const fio::Job& job : request.jobs) {
    for (const std::string& option : job.options) {
      if (option.rfind(key, 0) == 0)
        values.push_back(option.substr(key.size()));
    }
  }
  return values;
}

}  // namespace

std::string stream_file(const std::string& directory) {
  return directory + "/stream";
}

fio::Request stream_write(const Settings& settings,
                          const std::string& directory) {
  fio::Request request = stream("seqwrite", "write", settings, directory);
  request.options.push_back("end_fsync=1");
  return request;
}

fio::Request stream_read(const Settings& settings,
                         const std::string& directory) {
  return stream("seqread", "read", settings, directory);
}

fio::Request random_write(const Settings& settings, const Series& series,
                          bool sharded, const std::string& directory,
                          std::uint64_t seed) {
  fio::Request request =
      random(sharded ? series.sharded : series.write, "randwrite");
  const std::vector<std::string> more = {
      sized("size", settings.random_bytes / series.jobs),
      "fdatasync=16",
      "time_based=1",
      "runtime=" + std::to_string(settings.runtime_s),
      "fallocate=native",
      "percentile_list=50:99:99.9"};
  request.options.insert(request.options.end(), more.begin(), more.end());
  // Off, a process lays its file out itself instead of the parent one by one.
  if (sharded) request.options.push_back("create_serialize=0");
  for (unsigned i = 0; i < series.jobs; ++i) {
    const std::string name = request.name + "-" + std::to_string(i);
    request.jobs.push_back(
        {name,
         {kFilename + directory + "/" + name,
          kSeed + std::to_string(fio::derive_seed(seed, request.name, i))}});
  }
  return request;
}

std::vector<std::string> files_of(const fio::Request& request) {
  return values_of(request, kFilename);
}

fio::Request random_read(const Settings& settings, const Series& series,
                         const std::string& directory, std::uint64_t seed) {
  fio::Request request = random(series.read, "randread");
  const std::uint64_t range = settings.file_bytes / series.jobs;
  request.options.push_back(kFilename + stream_file(directory));
  request.options.push_back(sized("size", range));
  request.options.push_back(
      sized("io_size", settings.read_bytes / series.jobs));
  // A map of what was read: no block is read twice.
  request.options.push_back("norandommap=0");
  for (unsigned i = 0; i < series.jobs; ++i) {
    request.jobs.push_back(
        {request.name + "-" + std::to_string(i),
         {sized("offset", range * i),
          kSeed + std::to_string(fio::derive_seed(seed, request.name, i))}});
  }
  return request;
}

std::string seeds_of(const fio::Request& request) {
  std::string seeds;
  for (const std::string& seed : values_of(request, kSeed)) {
    seeds += (seeds.empty() ? "" : " ") + seed;
  }
  return seeds;
}

}  // namespace cowbench::throughput
