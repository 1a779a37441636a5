// SPDX-License-Identifier: Apache-2.0
#include "mdraid/resync.hpp"

#include <chrono>
#include <cowbench/block_device.hpp>
#include <cstdlib>
#include <thread>

#include "mdraid/array.hpp"

namespace cowbench::mdraid {
namespace {

// Before that a rate says little.
constexpr std::uint64_t kJudgeAfterNs = 20'000'000'000;

void write_attribute(const std::string& path, const std::string& text) {
  std::ofstream(path) << text << std::flush;
}

std::string seconds(double ns) {
  return std::to_string(static_cast<std::uint64_t>(ns / 1e9)) + " s";
}

void tell(const Host& host, double fraction, std::uint64_t passed_ns) {
  host.progress(fraction, "initial resync, " +
                              std::to_string(static_cast<int>(fraction * 100)) +
                              " %");
  if (passed_ns < kJudgeAfterNs || fraction <= 0) return;
  const double left =
      static_cast<double>(passed_ns) * (1 - fraction) / fraction;
  if (left <= static_cast<double>(host.remaining_ns())) return;
  throw Error(COWBENCH_TIMEOUT,
              "the initial resync needs " + seconds(left) +
                  " more, and the step may take only " +
                  seconds(static_cast<double>(host.remaining_ns())) +
                  " more; take less of each member (--member-limit), or "
                  "initial_sync \"write-zeroes\" where the disks zero quickly");
}

}  // namespace

std::optional<double> sync_fraction(const std::string& sync_completed) {
  char* end = nullptr;
  const double done = std::strtod(sync_completed.c_str(), &end);
  const std::string rest = end;
  if (rest.rfind(" / ", 0) != 0) return std::nullopt;
  const double all = std::strtod(rest.c_str() + 3, nullptr);
  if (all <= 0) return std::nullopt;
  return done / all;
}

std::uint64_t await_sync(const Host& host, const std::string& folder) {
  const auto done = [&folder] { return in_sync(read_array(folder)); };
  if (done()) return 0;
  // 200 MB/s is the limit otherwise. Only this array's, and only for now.
  write_attribute(folder + "/sync_speed_max", "100000000");
  const std::uint64_t start = host.now_ns();
  while (!done()) {
    host.throw_if_stopped();
    const auto fraction =
        sync_fraction(read_attribute(folder + "/sync_completed"));
    if (fraction) tell(host, *fraction, host.now_ns() - start);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  write_attribute(folder + "/sync_speed_max", "system");
  return host.now_ns() - start;
}

}  // namespace cowbench::mdraid
