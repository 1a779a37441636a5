// SPDX-License-Identifier: Apache-2.0
#include "device/safety.hpp"

#include <map>
#include <optional>

#include "base/text.hpp"
#include "base/units.hpp"
#include "system/block.hpp"
#include "system/loop.hpp"
#include "system/signature.hpp"

namespace cowbench {

namespace {

std::optional<DeviceNumber> number_of(const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto facts = block_facts(path);
  if (!facts) return std::nullopt;
  return facts->number;
}

// What keeps this one device from being used, whatever the others are.
void judge(const DeviceRequest& request, const BlockFacts& facts,
           bool wipe_allowed, std::vector<std::string>& reasons) {
  const std::string who = request.path + " (" + request.group + "): ";
  if (facts.read_only) reasons.push_back(who + "is read-only");
  if (facts.size_bytes < request.minimum_bytes) {
    reasons.push_back(who + "has " + format_size(facts.size_bytes) +
                      ", the member needs " +
                      format_size(request.minimum_bytes));
  }
  auto usage = device_usage(request.path);
  if (!usage) {
    reasons.push_back(who + usage.error().message());
  } else {
    for (const UsageReason& reason : *usage) {
      // A partition table that may be wiped is no obstacle by itself; its
      // mounted or held partitions are reported on their own.
      if (reason.usage == Usage::kPartitioned && wipe_allowed) continue;
      reasons.push_back(who + reason.text);
    }
  }
  for (const LoopDevice& loop : loops_backed_by(request.path)) {
    reasons.push_back(who + "is what " + loop.path + " stands on");
  }
  auto signatures = find_signatures(request.path);
  if (!signatures) {
    reasons.push_back(who + signatures.error().message());
    return;
  }
  if (wipe_allowed || signatures->empty()) return;
  std::vector<std::string> found;
  for (const Signature& signature : *signatures) {
    found.push_back(
        signature.type + " at byte " + std::to_string(signature.offset_bytes) +
        (signature.label.empty() ? "" : ", label \"" + signature.label + "\""));
  }
  reasons.push_back(who + "carries data (" + join(found, "; ") +
                    "); add --wipe " + request.path +
                    " if it may be destroyed");
}

}  // namespace

bool names_device(const std::vector<std::string>& list,
                  const std::string& path) {
  const auto wanted = number_of(path);
  for (const std::string& item : list) {
    if (item == path) return true;
    if (wanted && number_of(item) == wanted) return true;
  }
  return false;
}

std::vector<std::string> device_refusals(
    const std::vector<DeviceRequest>& requests,
    const std::vector<std::string>& wipe) {
  std::vector<std::string> reasons;
  std::map<DeviceNumber, std::string> seen;
  std::map<std::string, std::string> disks;  // parent disk -> partition given
  std::vector<std::string> given;
  for (const DeviceRequest& request : requests) {
    given.push_back(request.path);
    if (request.path.empty()) {
      reasons.push_back("group " + request.group +
                        ": an empty device name was given");
      continue;
    }
    auto facts = block_facts(request.path);
    if (!facts) {
      reasons.push_back(request.path + " (" + request.group +
                        "): " + facts.error().message());
      continue;
    }
    const auto [earlier, fresh] = seen.emplace(facts->number, request.path);
    if (!fresh) {
      reasons.push_back(request.path + " (" + request.group +
                        "): is the same device as " + earlier->second + " (" +
                        facts->number.text() + ")");
      continue;
    }
    if (facts->partition) disks.emplace(facts->parent, request.path);
    judge(request, *facts, names_device(wipe, request.path), reasons);
  }
  for (const auto& [number, path] : seen) {
    auto facts = block_facts(path);
    if (!facts) continue;
    if (const auto part = disks.find(facts->path); part != disks.end()) {
      reasons.push_back(path + ": is the disk that " + part->second +
                        " lies on; give one or the other");
    }
  }
  for (const std::string& path : wipe) {
    if (!names_device(given, path)) {
      reasons.push_back("--wipe " + path +
                        ": is not one of the devices given with --member");
    }
  }
  return reasons;
}

}  // namespace cowbench
