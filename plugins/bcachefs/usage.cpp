// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/usage.hpp"

#include <cowbench/error.hpp>
#include <optional>
#include <sstream>

#include "bcachefs/words.hpp"

namespace cowbench::bcachefs {
namespace {

// "user:   1/2   2   [vdc vdd]   104857600"; nothing for any other line.
std::optional<UsageRow> parse_row(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.size() < 4 || words[0].back() != ':') return std::nullopt;
  const std::size_t slash = words[1].find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto required = number_of(words[1].substr(0, slash));
  const auto total = number_of(words[1].substr(slash + 1));
  const auto bytes = number_of(words.back());
  if (!required || !total || !bytes || *total == 0) return std::nullopt;
  return UsageRow{words[0].substr(0, words[0].size() - 1), *required, *total,
                  *bytes};
}

// "(no label) (device 0):           vdc              rw"
std::optional<DeviceUsage> parse_device(const std::string& line) {
  const std::size_t mark = line.find("(device ");
  const std::size_t colon =
      mark == std::string::npos ? mark : line.find("):", mark);
  if (colon == std::string::npos) return std::nullopt;
  const std::vector<std::string> words = words_of(line.substr(colon + 2));
  if (words.empty()) return std::nullopt;
  DeviceUsage device;
  device.name = words.front();
  return device;
}

void take_device_line(const std::string& line, DeviceUsage& device) {
  const std::vector<std::string> words = words_of(line);
  if (words.size() < 2) return;
  const std::uint64_t bytes = number_of(words[1]).value_or(0);
  if (words[0] == "free:") device.free_bytes = bytes;
  if (words[0] == "capacity:") device.capacity_bytes = bytes;
}

}  // namespace

Usage parse_usage(const std::string& text) {
  Usage usage;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (auto device = parse_device(line)) {
      usage.devices.push_back(*device);
    } else if (!usage.devices.empty()) {
      take_device_line(line, usage.devices.back());
    } else if (auto row = parse_row(line)) {
      usage.rows.push_back(*row);
    }
  }
  for (const DeviceUsage& device : usage.devices) {
    if (device.capacity_bytes != 0) continue;
    throw Error(COWBENCH_TOOL_FAILED,
                "the output of bcachefs fs usage has no "
                "capacity of device " +
                    device.name);
  }
  if (usage.devices.empty()) {
    throw Error(COWBENCH_TOOL_FAILED,
                "the output of bcachefs fs usage names no device; is this "
                "release of bcachefs-tools known?");
  }
  return usage;
}

std::string stripes_of_user_data(const Usage& usage) {
  std::string widest;
  std::uint64_t most = 0;
  for (const UsageRow& row : usage.rows) {
    if (row.type != "user" || row.required < 2 || row.bytes <= most) continue;
    most = row.bytes;
    widest = std::to_string(row.required) + "/" + std::to_string(row.total);
  }
  return widest;
}

std::uint64_t user_bytes(const Usage& usage, bool in_stripes) {
  std::uint64_t bytes = 0;
  for (const UsageRow& row : usage.rows) {
    if (row.type == "user" && (row.required > 1) == in_stripes) {
      bytes += row.bytes;
    }
  }
  return bytes;
}

std::uint64_t content_bytes(const Usage& usage) {
  std::uint64_t bytes = 0;
  for (const UsageRow& row : usage.rows) {
    if (row.type != "user" && row.type != "btree") continue;
    // The bytes of plain copies are of all copies; those of stripes are of the
    // data blocks, with their parity in rows of its own.
    bytes += row.required > 1 ? row.bytes : row.bytes / row.total;
  }
  return bytes;
}

std::uint64_t allocated_bytes(const Usage& usage) {
  std::uint64_t bytes = 0;
  for (const DeviceUsage& device : usage.devices) {
    bytes += device.capacity_bytes - device.free_bytes;
  }
  return bytes;
}

}  // namespace cowbench::bcachefs
