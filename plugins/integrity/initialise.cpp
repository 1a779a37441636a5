// SPDX-License-Identifier: Apache-2.0
#include "integrity/initialise.hpp"

#include <chrono>
#include <cowbench/block_device.hpp>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace cowbench::integrity {
namespace {

using device_mapper::path_of;

constexpr std::uint64_t kSliceNs = 300'000'000;

std::uint64_t written_bytes(const std::string& name) {
  std::istringstream words(
      read_attribute("/sys/block/" + kernel_name(path_of(name)) + "/stat"));
  // Reads, merges, sectors, ms; writes, merges, sectors.
  std::uint64_t value = 0;
  for (int i = 0; i < 7; ++i) words >> value;
  return value * 512;
}

void tell(const Host& host, double fraction) {
  host.progress(fraction, "first checksums, " +
                              std::to_string(static_cast<int>(fraction * 100)) +
                              " %");
}

}  // namespace

void wipe(const Host& host, const std::vector<std::string>& names) {
  std::uint64_t all = 0;
  std::vector<std::uint64_t> writers;
  for (const std::string& name : names) {
    const std::uint64_t bytes = block_device_bytes(path_of(name));
    all += bytes;
    Command command;
    command.argv = {"dd",
                    "if=/dev/zero",
                    "of=" + path_of(name),
                    "bs=1M",
                    "count=" + std::to_string(bytes),
                    "iflag=count_bytes",
                    "oflag=direct",
                    "conv=notrunc,fsync",
                    "status=none"};
    writers.push_back(host.start(command));
  }
  for (const std::uint64_t writer : writers) {
    std::optional<CommandResult> ended;
    while (!(ended = host.wait(writer, kSliceNs))) {
      std::uint64_t done = 0;
      for (const std::string& name : names) done += written_bytes(name);
      tell(host, static_cast<double>(done) / static_cast<double>(all));
    }
    if (ended->succeeded()) continue;
    throw Error(ended->stopped ? COWBENCH_CANCELLED : COWBENCH_TOOL_FAILED,
                "write zeros through the mapping: " + ended->err);
  }
}

// MISMATCHES SECTORS RECALCULATED-SECTORS, the last "-" without recalculation.
double recalculated_fraction(const device_mapper::Target& status) {
  const std::string done = status.argument(2);
  const double all = std::strtod(status.argument(1).c_str(), nullptr);
  if (done == "-" || done.empty() || all <= 0) return 1;
  return std::strtod(done.c_str(), nullptr) / all;
}

void await_recalculation(const Host& host,
                         const std::vector<std::string>& names) {
  double least = 0;
  while (least < 1) {
    host.throw_if_stopped();
    least = 1;
    for (const std::string& name : names) {
      least = std::min(least, recalculated_fraction(device_mapper::read_target(
                                  host, "status", name, "integrity")));
    }
    tell(host, least);
    if (least < 1) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

}  // namespace cowbench::integrity
