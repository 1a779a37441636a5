// SPDX-License-Identifier: Apache-2.0
#include "device_mapper/target.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace cowbench::device_mapper {
namespace {

bool read_number(const std::string& digits, std::uint64_t& value) {
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

std::string Target::argument(std::size_t index) const {
  return index < arguments.size() ? arguments[index] : std::string();
}

bool Target::has(const std::string& word) const {
  return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

std::string Target::option(const std::string& key) const {
  for (const std::string& argument : arguments) {
    if (argument.rfind(key + ":", 0) == 0) {
      return argument.substr(key.size() + 1);
    }
  }
  return {};
}

std::string Target::after(const std::string& key) const {
  const auto found = std::find(arguments.begin(), arguments.end(), key);
  const bool last = found == arguments.end() || found + 1 == arguments.end();
  return last ? std::string() : *(found + 1);
}

TargetLine parse_target(const std::string& line) {
  std::istringstream words(line);
  std::string start, length;
  words >> start;
  Target target;
  // A name may have colons, and so have the arguments; only the name ends in
  // one.
  if (!start.empty() && start.back() == ':') {
    target.device = start.substr(0, start.size() - 1);
    start.clear();
    words >> start;
  }
  if (start.empty()) return {};
  words >> length >> target.type;
  if (target.type.empty()) return {std::nullopt, "a line of unknown shape"};
  if (!read_number(start, target.start_sectors)) {
    return {std::nullopt, "not a number: " + start};
  }
  if (!read_number(length, target.length_sectors)) {
    return {std::nullopt, "not a number: " + length};
  }
  for (std::string word; words >> word;) target.arguments.push_back(word);
  return {std::move(target), {}};
}

std::vector<Target> parse_targets(const std::string& text) {
  std::vector<Target> targets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    TargetLine parsed = parse_target(line);
    if (parsed.target) targets.push_back(std::move(*parsed.target));
  }
  return targets;
}

}  // namespace cowbench::device_mapper
