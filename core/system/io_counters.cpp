// SPDX-License-Identifier: Apache-2.0
#include "system/io_counters.hpp"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "system/file.hpp"
#include "system/system_error.hpp"

namespace cowbench {
namespace {

// sysfs counts in these, whatever the device's sectors are.
constexpr std::uint64_t kSectorBytes = 512;
constexpr std::uint64_t kNsPerTick = 1'000'000;

// A device that was taken away and came back starts at zero again.
std::uint64_t difference(std::uint64_t later, std::uint64_t earlier) {
  return later >= earlier ? later - earlier : later;
}

}  // namespace

IoCounters operator-(const IoCounters& later, const IoCounters& earlier) {
  IoCounters result;
  result.read_ops = difference(later.read_ops, earlier.read_ops);
  result.read_bytes = difference(later.read_bytes, earlier.read_bytes);
  result.write_ops = difference(later.write_ops, earlier.write_ops);
  result.write_bytes = difference(later.write_bytes, earlier.write_bytes);
  result.discard_ops = difference(later.discard_ops, earlier.discard_ops);
  result.discard_bytes = difference(later.discard_bytes, earlier.discard_bytes);
  result.flush_ops = difference(later.flush_ops, earlier.flush_ops);
  result.busy_ns = difference(later.busy_ns, earlier.busy_ns);
  result.in_flight = later.in_flight;
  return result;
}

IoCounters operator+(const IoCounters& a, const IoCounters& b) {
  IoCounters result;
  result.read_ops = a.read_ops + b.read_ops;
  result.read_bytes = a.read_bytes + b.read_bytes;
  result.write_ops = a.write_ops + b.write_ops;
  result.write_bytes = a.write_bytes + b.write_bytes;
  result.discard_ops = a.discard_ops + b.discard_ops;
  result.discard_bytes = a.discard_bytes + b.discard_bytes;
  result.flush_ops = a.flush_ops + b.flush_ops;
  result.busy_ns = a.busy_ns + b.busy_ns;
  result.in_flight = a.in_flight + b.in_flight;
  return result;
}

std::optional<IoCounters> parse_io_counters(std::string_view text) {
  std::array<std::uint64_t, 17> fields{};
  std::size_t count = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  while (count < fields.size()) {
    while (at != end && (*at == ' ' || *at == '\n')) ++at;
    if (at == end) break;
    const auto parsed = std::from_chars(at, end, fields[count]);
    if (parsed.ec != std::errc()) return std::nullopt;
    at = parsed.ptr;
    ++count;
  }
  if (count < 11) return std::nullopt;
  IoCounters counters;
  counters.read_ops = fields[0];
  counters.read_bytes = fields[2] * kSectorBytes;
  counters.write_ops = fields[4];
  counters.write_bytes = fields[6] * kSectorBytes;
  counters.in_flight = fields[8];
  counters.busy_ns = fields[9] * kNsPerTick;
  counters.discard_ops = fields[11];
  counters.discard_bytes = fields[13] * kSectorBytes;
  counters.flush_ops = fields[15];
  return counters;
}

Result<IoCounters> io_counters(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    return errno == ENOENT
               ? Error(Category::kDeviceLost,
                       "read the counters of " + path + ": no such device")
               : system_error("read the counters of", path, errno);
  }
  if (!S_ISBLK(facts.st_mode)) {
    return Error(Category::kUsage,
                 "read the counters of " + path + ": not a block device");
  }
  return io_counters(device_number(facts.st_rdev));
}

Result<IoCounters> io_counters(DeviceNumber number) {
  const std::string path = "/sys/dev/block/" + number.text() + "/stat";
  const auto text = read_file(path);
  if (!text) {
    return Error(Category::kDeviceLost, "read the counters of device " +
                                            number.text() +
                                            ": the kernel has no such device");
  }
  const auto counters = parse_io_counters(*text);
  if (!counters) {
    return Error(Category::kToolFailed, "read " + path + ": \"" + *text +
                                            "\" is not what it should be");
  }
  return *counters;
}

}  // namespace cowbench
