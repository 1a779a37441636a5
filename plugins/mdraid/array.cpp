// SPDX-License-Identifier: Apache-2.0
#include "mdraid/array.hpp"

#include <algorithm>
#include <cowbench/block_device.hpp>
#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>
#include <cstdlib>
#include <sstream>

#include "mdraid/level.hpp"

namespace cowbench::mdraid {
namespace {

std::uint64_t number(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

std::string sorted_text(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return joined(words);
}

}  // namespace

ArrayFacts read_array(const std::string& folder) {
  const auto read = [&folder](const char* name) {
    return read_attribute(folder + "/" + name);
  };
  ArrayFacts facts;
  facts.level = read("level");
  facts.metadata = read("metadata_version");
  facts.uuid = read("uuid");
  facts.array_state = read("array_state");
  facts.consistency_policy = read("consistency_policy");
  facts.bitmap_location = read("bitmap/location");
  facts.bitmap_chunk_bytes = number(read("bitmap/chunksize"));
  facts.chunk_bytes = number(read("chunk_size"));
  facts.raid_devices = static_cast<std::uint32_t>(number(read("raid_disks")));
  facts.degraded = read("degraded");
  facts.sync_action = read("sync_action");
  facts.resync_start = read("resync_start");
  facts.component_bytes = number(read("component_size")) * 1024;
  for (const std::string& name : names_in(folder)) {
    if (name.rfind("dev-", 0) != 0) continue;
    facts.members.push_back({name.substr(4), read((name + "/state").c_str())});
  }
  return facts;
}

std::vector<std::pair<std::string, std::string>> labels_of(
    const std::string& text) {
  std::vector<std::pair<std::string, std::string>> labels;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(" : ");
    if (colon == std::string::npos) continue;
    const std::string name = trimmed(line.substr(0, colon));
    const auto same = [&name](const auto& one) { return one.first == name; };
    if (std::any_of(labels.begin(), labels.end(), same)) continue;
    labels.emplace_back(name, trimmed(line.substr(colon + 3)));
  }
  return labels;
}

std::string label(const std::string& text, const std::string& name) {
  for (const auto& [key, value] : labels_of(text)) {
    if (key == name) return value;
  }
  return {};
}

std::string exported(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(key + "=", 0) == 0) return line.substr(key.size() + 1);
  }
  return {};
}

void require_as_asked(const ArrayFacts& facts, const std::string& detail,
                      const MakeOptions& options, const Names& names,
                      std::vector<std::string> members) {
  require_effective("uuid", uuid_of_kernel(names.uuid), facts.uuid);
  require_effective("level", options.level, facts.level);
  require_effective("metadata", options.metadata, facts.metadata);
  require_effective("raid_devices", std::to_string(members.size()),
                    std::to_string(facts.raid_devices));
  require_effective("chunk", std::to_string(options.chunk_bytes),
                    std::to_string(facts.chunk_bytes));
  if (!options.layout.empty()) {
    require_effective("layout", layout_in_words(options.layout),
                      label(detail, "Layout"));
  }
  require_effective("consistency_policy", options.consistency_policy,
                    facts.consistency_policy);
  require_effective("consistency_policy", options.consistency_policy,
                    label(detail, "Consistency Policy"));
  const bool none = facts.bitmap_location == "none";
  require_effective("bitmap", options.bitmap, none ? "none" : "internal");
  if (!none) {
    require_effective("bitmap_chunk",
                      std::to_string(options.bitmap_chunk_bytes),
                      std::to_string(facts.bitmap_chunk_bytes));
  }
  std::vector<std::string> found;
  for (const MemberFacts& member : facts.members) found.push_back(member.name);
  require_effective("members", sorted_text(std::move(members)),
                    sorted_text(std::move(found)));
}

bool in_sync(const ArrayFacts& facts) {
  for (const MemberFacts& member : facts.members) {
    if (member.state.find("faulty") == std::string::npos) continue;
    throw Error(COWBENCH_DEVICE_LOST,
                "member " + member.name + " of the array is " + member.state);
  }
  // mdadm has a fresh raid5 rebuilt onto its last member. Until that has begun
  // the action still says idle, but the array is degraded.
  return (facts.sync_action.empty() || facts.sync_action == "idle") &&
         (facts.resync_start.empty() || facts.resync_start == "none") &&
         (facts.degraded.empty() || facts.degraded == "0");
}

void require_healthy(const ArrayFacts& facts) {
  const std::string& state = facts.array_state;
  if (state.empty() || state == "clear" || state == "inactive") {
    throw Error(COWBENCH_DEVICE_LOST,
                "the array is not up: its state is \"" + state + "\"");
  }
  for (const MemberFacts& member : facts.members) {
    if (member.state.find("in_sync") != std::string::npos &&
        member.state.find("faulty") == std::string::npos) {
      continue;
    }
    throw Error(COWBENCH_DEVICE_LOST,
                "member " + member.name + " of the array is " + member.state);
  }
  // Without redundancy there is no such file.
  if (!facts.degraded.empty() && facts.degraded != "0") {
    throw Error(COWBENCH_DEVICE_LOST,
                "the array lacks " + facts.degraded + " of its members");
  }
}

}  // namespace cowbench::mdraid
