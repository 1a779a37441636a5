// SPDX-License-Identifier: Apache-2.0
#include "device_mapper/mapping.hpp"

#include <cowbench/block_device.hpp>

namespace cowbench::device_mapper {
namespace {

constexpr std::uint64_t kSettleNs = 20'000'000'000;

// Of the layer's devices, by the mapping's number. A stack has at most 64
// members.
constexpr std::size_t kMost = 64;

std::string ticket_key(std::size_t index) {
  return "ticket_" + std::to_string(index);
}

}  // namespace

Target read_target(const Host& host, const std::string& command,
                   const std::string& name, const std::string& type) {
  const std::string text = host.run_checked({"dmsetup", command, name});
  std::vector<Target> targets = parse_targets(text);
  if (targets.size() == 1 && targets[0].type == type) return targets[0];
  throw Error(COWBENCH_TOOL_FAILED, "mapping " + name +
                                        " should be one target of type " +
                                        type + "; dmsetup says: " + text);
}

bool mapping_exists(const std::string& name) {
  for (const std::string& device : names_in("/sys/block")) {
    if (device.rfind("dm-", 0) != 0) continue;
    if (read_attribute("/sys/block/" + device + "/dm/name") == name) {
      return true;
    }
  }
  return false;
}

std::string path_of(const std::string& name) { return "/dev/mapper/" + name; }

std::string mapping_name(const Host& host, std::size_t index) {
  const std::string name = host.object_name();
  return host.devices().size() == 1 ? name : name + "-" + std::to_string(index);
}

void announce_mapping(const Host& host, std::size_t index) {
  const std::string name = mapping_name(host, index);
  if (mapping_exists(name)) {
    throw Error(COWBENCH_TOOL_FAILED,
                "there is a mapping " + name +
                    " already, and it is not this job's; remove it with "
                    "dmsetup remove if nobody needs it");
  }
  const std::uint64_t ticket =
      host.ledger_add("mapping", name, {"dmsetup", "info", name},
                      {"dmsetup", "remove", "--retry", name});
  host.set_state(ticket_key(index).c_str(), std::to_string(ticket));
}

void await_mapping(const Host& host, const std::string& name) {
  const auto ready = [&name] { return is_block_device(path_of(name)); };
  if (wait_until(host, kSettleNs, ready)) return;
  throw Error(COWBENCH_TOOL_FAILED, "the mapping " + name +
                                        " was made, but there is no device " +
                                        path_of(name) + "; is udev running?");
}

void close_mapping(const Host& host, const std::vector<std::string>& argv,
                   const std::string& name) {
  run_until(host, argv, kSettleNs, [&name] { return !mapping_exists(name); });
}

void remove_mappings(const Host& host, CloseCommand close_command) {
  for (std::size_t index = kMost; index-- > 0;) {
    const std::string key = ticket_key(index);
    const std::string ticket = host.state(key.c_str());
    if (ticket.empty()) continue;
    const std::string name = mapping_name(host, index);
    close_mapping(host, close_command(name), name);
    host.ledger_strike(std::stoull(ticket));
    host.set_state(key.c_str(), "");
  }
}

}  // namespace cowbench::device_mapper
