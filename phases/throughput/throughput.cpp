// SPDX-License-Identifier: Apache-2.0
#include "throughput/throughput.hpp"

#include <cmath>
#include <filesystem>

#include "throughput/requests.hpp"

namespace cowbench::throughput {
namespace {

// For the plan only: rates of an ordinary machine.
constexpr std::uint64_t kGuessedStream = std::uint64_t{300} << 20;  // bytes/s
constexpr std::uint64_t kGuessedIops = 10'000;
constexpr std::uint64_t kSecond = 1'000'000'000;

std::string key_of(const fio::Request& request) {
  return request.name + "_iops";
}

// What random writes come to in that time.
std::uint64_t guessed_bytes(std::uint64_t time_ns) {
  return time_ns / kSecond * kGuessedIops * kRandomBlock;
}

using Conditions = std::vector<std::pair<std::string, std::string>>;

Conditions conditions(const fio::Report& report, std::uint64_t file_bytes,
                      std::uint64_t block_bytes) {
  return {{"generator", report.version},
          {"jobs", std::to_string(report.jobs.size())},
          {"file_bytes", std::to_string(file_bytes)},
          {"block_bytes", std::to_string(block_bytes)}};
}

void add(Value& value, const char* key, const std::string& text) {
  value.conditions.emplace_back(key, text);
}
void add(Value& value, const char* key, std::uint64_t number) {
  add(value, key, std::to_string(number));
}

}  // namespace

Estimate Throughput::estimate() {
  const Settings settings = read_settings(host());
  std::uint64_t writes = 0, reads = 0;
  for (const Series& series : kSeries) {
    if (!settings.wants(series)) continue;
    ++reads;
    writes += settings.sharded && series.sharded != nullptr ? 2 : 1;
  }
  const std::uint64_t runtime_ns = settings.runtime_s * kSecond;
  Estimate estimate;
  estimate.written_bytes =
      settings.file_bytes + writes * guessed_bytes(runtime_ns);
  estimate.peak_bytes = settings.file_bytes + settings.random_bytes;
  estimate.duration_ns =
      2 * settings.file_bytes * kSecond / kGuessedStream + writes * runtime_ns +
      reads * settings.read_bytes / kRandomBlock * kSecond / kGuessedIops;
  return estimate;
}

void Throughput::versions() { fio::report_version(host()); }

void Throughput::run() {
  const Settings settings = read_settings(host());
  host().progress(0, "stream write");
  write_stream(settings);
  for (const Series& series : kSeries) {
    if (!settings.wants(series)) {
      not_requested(series.write, "jobs_extra");
      continue;
    }
    host().progress(
        0.1, std::string("random write, jobs: ") + std::to_string(series.jobs));
    write_randomly(settings, series, false);
  }
  for (const Series& series : kSeries) {
    if (series.sharded == nullptr) continue;
    if (!settings.sharded || !settings.wants(series)) {
      not_requested(series.sharded,
                    settings.sharded ? "jobs_extra" : "sharded");
      continue;
    }
    host().progress(0.5, std::string("sharded random write, jobs: ") +
                             std::to_string(series.jobs));
    write_randomly(settings, series, true);
  }
  for (const Series& series : kSeries) {
    if (!settings.wants(series)) {
      not_requested(series.read, "jobs_extra");
      continue;
    }
    host().progress(0.7, std::string("cold random read, jobs: ") +
                             std::to_string(series.jobs));
    read_randomly(settings, series);
  }
  host().progress(0.9, "cold stream read");
  read_stream(settings);
}

void Throughput::write_stream(const Settings& settings) {
  const fio::Measurement measured =
      fio::measure(host(), stream_write(settings, host().directory()));
  const fio::Total total = fio::total(measured.report, &fio::JobReport::write);
  Value value;
  value.key = "seqwrite_mbps";
  value.value = total.mib_per_s();
  value.observations = total.operations;
  value.conditions =
      conditions(measured.report, settings.file_bytes, kStreamBlock);
  add(value, "written_bytes", total.bytes);
  add(value, "member_write_bytes", measured.io.write_bytes);
  host().emit(value);
}

void Throughput::write_randomly(const Settings& settings, const Series& series,
                                bool sharded) {
  const fio::Request request = random_write(settings, series, sharded,
                                            host().directory(), host().seed());
  if (!sharded) fio::lay_out(host(), request);
  const fio::Measurement measured = fio::measure(host(), request);
  for (const std::string& file : files_of(request)) {
    std::filesystem::remove(file);
  }
  const fio::Total total = fio::total(measured.report, &fio::JobReport::write);
  std::uint64_t flushes = 0;
  for (const fio::JobReport& job : measured.report.jobs) {
    flushes += job.flushes.count;
  }
  Value value;
  value.key = key_of(request);
  value.value = total.iops();
  value.observations = total.operations;
  value.conditions = conditions(
      measured.report, settings.random_bytes / series.jobs, kRandomBlock);
  add(value, "runtime_s", settings.runtime_s);
  add(value, "fdatasync_every", "16");
  add(value, "seeds", seeds_of(request));
  add(value, "written_bytes", total.bytes);
  add(value, "flushes", flushes);
  add(value, "member_write_bytes", measured.io.write_bytes);
  add(value, "member_flushes", measured.io.flush_ops);
  host().emit(value);
  if (series.jobs != 1) return;
  const fio::Flushes& one = measured.report.jobs.front().flushes;
  emit_flush_latency("fsync_p99_ms", 99, one);
  emit_flush_latency("fsync_p999_ms", 99.9, one);
}

// Below 1 / (1 - p) observations a percentile is nothing but the maximum.
void Throughput::emit_flush_latency(const char* key, double percent,
                                    const fio::Flushes& flushes) {
  const auto needed =
      static_cast<std::uint64_t>(std::llround(100 / (100 - percent)));
  const auto found = flushes.percentiles_ms.find(percent);
  Value value;
  value.key = key;
  value.observations = flushes.count;
  add(value, "resolution", "histogram bucket, up to 1.6 %");
  if (found == flushes.percentiles_ms.end()) {
    value.outcome = COWBENCH_OUTCOME_NOT_AVAILABLE;
    value.reason = "fio reports no percentiles of flushes";
  } else {
    value.value = found->second;
    if (flushes.count < needed) {
      value.outcome = COWBENCH_OUTCOME_WITHHELD;
      value.reason = "too few flushes: " + std::to_string(flushes.count) +
                     " where " + std::to_string(needed) + " are needed";
    }
  }
  host().emit(value);
}

fio::Measurement Throughput::read_cold(const fio::Request& request,
                                       std::uint64_t expected_bytes) {
  host().make_cold();
  fio::Measurement measured = fio::measure(host(), request);
  const std::uint64_t got =
      fio::total(measured.report, &fio::JobReport::read).bytes;
  if (got != expected_bytes) {
    throw Error(COWBENCH_TOOL_FAILED,
                "fio (" + request.name + ") read " + std::to_string(got) +
                    " bytes where " + std::to_string(expected_bytes) +
                    " were asked for");
  }
  return measured;
}

void Throughput::emit_read(Value value,
                           const fio::Measurement& measured) const {
  const fio::Total total = fio::total(measured.report, &fio::JobReport::read);
  value.observations = total.operations;
  add(value, "read_bytes", total.bytes);
  add(value, "member_read_bytes", measured.io.read_bytes);
  const ColdProof proof = prove_cold_data(measured.io, total.bytes);
  if (!proof.cold) {
    value.outcome = COWBENCH_OUTCOME_WITHHELD;
    value.reason = proof.reason;
  }
  host().emit(value);
}

void Throughput::read_randomly(const Settings& settings, const Series& series) {
  const fio::Request request =
      random_read(settings, series, host().directory(), host().seed());
  const fio::Measurement measured = read_cold(request, settings.read_bytes);
  Value value;
  value.key = key_of(request);
  value.value = fio::total(measured.report, &fio::JobReport::read).iops();
  value.conditions =
      conditions(measured.report, settings.file_bytes, kRandomBlock);
  add(value, "range_bytes", settings.file_bytes / series.jobs);
  add(value, "seeds", seeds_of(request));
  emit_read(value, measured);
}

void Throughput::read_stream(const Settings& settings) {
  const fio::Measurement measured =
      read_cold(stream_read(settings, host().directory()), settings.file_bytes);
  Value value;
  value.key = "seqread_mbps";
  value.value = fio::total(measured.report, &fio::JobReport::read).mib_per_s();
  value.conditions =
      conditions(measured.report, settings.file_bytes, kStreamBlock);
  emit_read(value, measured);
}

void Throughput::not_requested(const std::string& key,
                               const std::string& option) const {
  host().emit_absent(key + "_iops", COWBENCH_OUTCOME_NOT_REQUESTED,
                     "throughput." + option + " does not ask for it");
}

}  // namespace cowbench::throughput
