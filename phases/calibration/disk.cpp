// SPDX-License-Identifier: Apache-2.0
#include "calibration/disk.hpp"

#include <filesystem>

namespace cowbench::calibration {
namespace {

constexpr std::uint64_t kStreamBlock = 1048576;
constexpr std::uint64_t kRandomBlock = 4096;

// The same ways as the throughput phase writes, so that the figures compare.
fio::Request request(const std::string& name, const std::string& directory,
                     const char* direction, std::uint64_t block_bytes,
                     std::uint64_t file_bytes) {
  fio::Request made;
  made.name = name;
  made.options = {"ioengine=psync", "direct=0", std::string("rw=") + direction,
                  "bs=" + std::to_string(block_bytes),
                  "size=" + std::to_string(file_bytes)};
  made.jobs = {{name, {"filename=" + directory + "/" + name}}};
  return made;
}

Value value_of(const std::string& key, const fio::Report& report,
               std::uint64_t file_bytes, std::uint64_t block_bytes) {
  const fio::Total total = fio::total(report, &fio::JobReport::write);
  Value value;
  value.key = key;
  value.observations = total.operations;
  value.conditions = {{"generator", report.version},
                      {"file_bytes", std::to_string(file_bytes)},
                      {"block_bytes", std::to_string(block_bytes)},
                      {"written_bytes", std::to_string(total.bytes)}};
  return value;
}

fio::Report measured(const Host& host, const fio::Request& made) {
  fio::Report report = fio::measure(host, made).report;
  std::filesystem::remove(host.directory() + "/" + made.name);
  return report;
}

}  // namespace

double measure_stream_write(const Host& host) {
  const std::uint64_t bytes = host.amount("file_size");
  fio::Request made = request("calibration_seqwrite", host.directory(), "write",
                              kStreamBlock, bytes);
  made.options.push_back("end_fsync=1");
  const fio::Report report = measured(host, made);
  Value value = value_of(made.name + "_mbps", report, bytes, kStreamBlock);
  value.value = fio::total(report, &fio::JobReport::write).mib_per_s();
  host.emit(value);
  return value.value;
}

double measure_random_write(const Host& host) {
  const std::uint64_t bytes = host.amount("random_size");
  const std::string runtime =
      std::to_string(host.amount("runtime") / 1'000'000'000);
  fio::Request made = request("calibration_randwrite", host.directory(),
                              "randwrite", kRandomBlock, bytes);
  const std::string seed =
      std::to_string(fio::derive_seed(host.seed(), made.name, 0));
  for (const std::string& option :
       {std::string("fdatasync=16"), std::string("time_based=1"),
        "runtime=" + runtime, std::string("fallocate=native"),
        std::string("randrepeat=0"), "randseed=" + seed}) {
    made.options.push_back(option);
  }
  fio::lay_out(host, made);
  const fio::Report report = measured(host, made);
  Value value = value_of(made.name + "_iops", report, bytes, kRandomBlock);
  value.value = fio::total(report, &fio::JobReport::write).iops();
  value.conditions.emplace_back("runtime_s", runtime);
  value.conditions.emplace_back("fdatasync_every", "16");
  value.conditions.emplace_back("seed", seed);
  host.emit(value);
  return value.value;
}

}  // namespace cowbench::calibration
