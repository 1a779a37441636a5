// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "base/text.hpp"
#include "system/block.hpp"
#include "system/file.hpp"
#include "system/mount.hpp"
#include "system/sysfs.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

std::vector<DeviceNumber> swap_devices() {
  std::vector<DeviceNumber> devices;
  const auto text = read_file("/proc/swaps");
  if (!text) return devices;
  for (const auto& path : parse_swaps(*text)) {
    const auto number = block_device_number(path);
    if (number) devices.push_back(*number);
  }
  return devices;
}

// Reasons of the device itself; prefix names a partition of it.
void add_reasons(const BlockFacts& facts, const std::string& prefix,
                 std::vector<UsageReason>& reasons) {
  for (const auto& mount : mounts_of_device(facts.path)) {
    reasons.push_back({Usage::kMounted, prefix + "mounted on " + mount.target});
  }
  const auto swaps = swap_devices();
  if (std::find(swaps.begin(), swaps.end(), facts.number) != swaps.end()) {
    reasons.push_back({Usage::kSwap, prefix + "in use as swap"});
  }
  if (!facts.holders.empty()) {
    reasons.push_back(
        {Usage::kHeld, prefix + "held by " + join(facts.holders, ", ")});
  }
}

bool opened_exclusively(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  return !fd.valid() && errno == EBUSY;
}

}  // namespace

std::vector<std::string> parse_swaps(std::string_view text) {
  std::vector<std::string> paths;
  const auto lines = split(text, '\n');
  // The first line holds the titles of the columns.
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].starts_with("/")) {
      paths.push_back(lines[i].substr(0, lines[i].find_first_of(" \t")));
    }
  }
  return paths;
}

Result<std::vector<UsageReason>> device_usage(const std::string& path) {
  const auto facts = block_facts(path);
  if (!facts) return facts.error();
  std::vector<UsageReason> reasons;
  add_reasons(*facts, "", reasons);
  for (const auto& name : facts->partitions) {
    const auto partition = block_facts("/dev/" + name);
    if (partition) add_reasons(*partition, name + ": ", reasons);
  }
  // A mount or holder found above is why such an open fails; the point is
  // users that show nowhere, like a further member of a mounted filesystem.
  if (reasons.empty() && opened_exclusively(facts->path)) {
    reasons.push_back({Usage::kOpenExclusively,
                       "opened exclusively, by a program or as a further "
                       "member of a mounted filesystem"});
  }
  if (!facts->partitions.empty()) {
    reasons.push_back({Usage::kPartitioned,
                       "has partitions: " + join(facts->partitions, ", ")});
  }
  return reasons;
}

}  // namespace cowbench
