// SPDX-License-Identifier: Apache-2.0
#include "lvm/mapping.hpp"

#include <charconv>
#include <cowbench/error.hpp>
#include <sstream>

namespace cowbench::lvm {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& line) {
  throw Error(COWBENCH_TOOL_FAILED, "dmsetup: " + what + ": \"" + line + "\"");
}

std::string line_of(const Target& target) {
  std::string line = target.device + ": " + target.type;
  for (const std::string& word : target.arguments) line += " " + word;
  return line;
}

std::uint64_t number(const std::string& digits, const std::string& line) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    refuse("not a number: " + digits, line);
  }
  return value;
}

std::string doubled_dashes(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '-' ? "--" : std::string(1, c);
  return text;
}

bool is_mapping_of(const std::string& name, const std::string& group) {
  const std::string prefix = doubled_dashes(group) + "-";
  // One more dash would be part of a longer group's name.
  return name.size() > prefix.size() && name.rfind(prefix, 0) == 0 &&
         name[prefix.size()] != '-';
}

}  // namespace

std::vector<Target> parse_targets(const std::string& text,
                                  const std::string& group) {
  std::vector<Target> targets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!is_mapping_of(line.substr(0, line.find(':')), group)) continue;
    device_mapper::TargetLine parsed = device_mapper::parse_target(line);
    if (!parsed.fault.empty()) refuse(parsed.fault, line);
    // A device without a table: LVM has one for a moment while it builds.
    if (parsed.target) targets.push_back(std::move(*parsed.target));
  }
  return targets;
}

std::string mapping_name(const std::string& group, const std::string& volume) {
  return doubled_dashes(group) + "-" + doubled_dashes(volume);
}

std::vector<std::string> mappings_of(const std::string& listing,
                                     const std::string& group) {
  std::vector<std::string> names;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find_first_of(" \t"));
    if (is_mapping_of(name, group)) names.push_back(name);
  }
  return names;
}

std::string target_version(const std::string& listing,
                           const std::string& type) {
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, version;
    words >> name >> version;
    if (name == type && !version.empty() && version.front() == 'v') {
      return version.substr(1);
    }
  }
  return {};
}

Progress raid_sync(const Target& status) {
  const std::string line = line_of(status);
  // Level, devices, health, done/all, action, mismatches, ...
  if (status.type != "raid" || status.arguments.size() < 5) {
    refuse("not the status of an array", line);
  }
  const std::string& health = status.arguments[2];
  if (health.find_first_of("D-") != std::string::npos) {
    throw Error(COWBENCH_DEVICE_LOST, status.device +
                                          ": a device of the array has failed "
                                          "(" +
                                          health + ")");
  }
  const std::string& ratio = status.arguments[3];
  const std::size_t slash = ratio.find('/');
  if (slash == std::string::npos) refuse("no ratio of sectors in sync", line);
  Progress sync;
  sync.done = number(ratio.substr(0, slash), line);
  sync.all = number(ratio.substr(slash + 1), line);
  // While it resyncs, the devices are alive but not in sync: "a". Just after
  // the start the action may still say idle.
  sync.idle = status.arguments[4] == "idle" &&
              health.find_first_not_of('A') == std::string::npos;
  return sync;
}

Progress integrity_init(const Target& status) {
  const std::string line = line_of(status);
  // Mismatches, sectors of data, the sector that is computed next; "-" where
  // nothing was ever to be computed.
  if (status.type != "integrity" || status.arguments.size() < 3) {
    refuse("not the status of an integrity device", line);
  }
  Progress init;
  init.all = number(status.arguments[1], line);
  init.done =
      status.arguments[2] == "-" ? init.all : number(status.arguments[2], line);
  init.idle = init.done >= init.all;
  return init;
}

VdoStatus vdo_status(const Target& status) {
  const std::string line = line_of(status);
  // Device, mode, recovery, index, compression, blocks used, blocks in all.
  if (status.type != "vdo" || status.arguments.size() < 7) {
    refuse("not the status of a VDO pool", line);
  }
  return {status.arguments[1], status.arguments[3],
          number(status.arguments[5], line), number(status.arguments[6], line)};
}

}  // namespace cowbench::lvm
