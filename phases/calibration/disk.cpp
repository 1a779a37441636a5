// SPDX-License-Identifier: Apache-2.0
#include "calibration/disk.hpp"

#include <algorithm>
#include <filesystem>

namespace cowbench::calibration {
namespace {

constexpr std::uint64_t kStreamBlock = 1048576;
constexpr std::uint64_t kRandomBlock = 4096;

// What is written to: a file on the store that backs the members. Members
// that are devices have none behind them; then it is the first of them, whose
// content is ours and which no filesystem holds yet.
struct Target {
  std::string path;
  std::uint64_t bytes;
  bool device;
};

Target target(const Host& host, const std::string& name,
              std::uint64_t wanted_bytes, std::uint64_t block_bytes) {
  const std::string directory = host.directory();
  if (!directory.empty()) return {directory + "/" + name, wanted_bytes, false};
  const auto members = host.devices();
  if (members.empty()) {
    throw Error(COWBENCH_NOT_AVAILABLE,
                "measure the disk: nothing backs the members, and there are "
                "none");
  }
  const cowbench_device& member = *members.front();
  const std::uint64_t bytes = std::min(wanted_bytes, member.size_bytes);
  return {member.path, bytes / block_bytes * block_bytes, true};
}

// The same ways as the throughput phase writes, so that the figures compare.
fio::Request request(const std::string& name, const Target& target,
                     const char* direction, std::uint64_t block_bytes) {
  fio::Request made;
  made.name = name;
  made.options = {"ioengine=psync", "direct=0", std::string("rw=") + direction,
                  "bs=" + std::to_string(block_bytes),
                  "size=" + std::to_string(target.bytes)};
  made.jobs = {{name, {"filename=" + target.path}}};
  return made;
}

Value value_of(const std::string& key, const fio::Report& report,
               const Target& target, std::uint64_t block_bytes) {
  const fio::Total total = fio::total(report, &fio::JobReport::write);
  Value value;
  value.key = key;
  value.observations = total.operations;
  value.conditions = {
      {"generator", report.version},
      {"place", target.device ? target.path : "the store below the members"},
      {"file_bytes", std::to_string(target.bytes)},
      {"block_bytes", std::to_string(block_bytes)},
      {"written_bytes", std::to_string(total.bytes)}};
  return value;
}

fio::Report measured(const Host& host, const fio::Request& made,
                     const Target& target) {
  fio::Report report = fio::measure(host, made).report;
  if (!target.device) std::filesystem::remove(target.path);
  return report;
}

}  // namespace

double measure_stream_write(const Host& host) {
  const std::string name = "calibration_seqwrite";
  const Target place =
      target(host, name, host.amount("file_size"), kStreamBlock);
  fio::Request made = request(name, place, "write", kStreamBlock);
  made.options.push_back("end_fsync=1");
  const fio::Report report = measured(host, made, place);
  Value value = value_of(name + "_mbps", report, place, kStreamBlock);
  value.value = fio::total(report, &fio::JobReport::write).mib_per_s();
  host.emit(value);
  return value.value;
}

double measure_random_write(const Host& host) {
  const std::string name = "calibration_randwrite";
  const std::string runtime =
      std::to_string(host.amount("runtime") / 1'000'000'000);
  const Target place =
      target(host, name, host.amount("random_size"), kRandomBlock);
  fio::Request made = request(name, place, "randwrite", kRandomBlock);
  const std::string seed =
      std::to_string(fio::derive_seed(host.seed(), name, 0));
  for (const std::string& option :
       {std::string("fdatasync=16"), std::string("time_based=1"),
        "runtime=" + runtime, std::string("fallocate=native"),
        std::string("randrepeat=0"), "randseed=" + seed}) {
    made.options.push_back(option);
  }
  if (!place.device) fio::lay_out(host, made);
  const fio::Report report = measured(host, made, place);
  Value value = value_of(name + "_iops", report, place, kRandomBlock);
  value.value = fio::total(report, &fio::JobReport::write).iops();
  value.conditions.emplace_back("runtime_s", runtime);
  value.conditions.emplace_back("fdatasync_every", "16");
  value.conditions.emplace_back("seed", seed);
  host.emit(value);
  return value.value;
}

}  // namespace cowbench::calibration
