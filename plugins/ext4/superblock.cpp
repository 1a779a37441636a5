// SPDX-License-Identifier: Apache-2.0
#include "ext4/superblock.hpp"

#include <algorithm>
#include <charconv>
#include <cowbench/error.hpp>
#include <sstream>

namespace cowbench::ext4 {
namespace {

// The rest of the line that begins with `label` and a colon, trimmed. Empty
// when there is no such line.
std::string field(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, label.size() + 1, label + ":") != 0) continue;
    const std::size_t begin = line.find_first_not_of(" \t", label.size() + 1);
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
  }
  return {};
}

std::string required(const std::string& text, const std::string& label) {
  std::string value = field(text, label);
  if (!value.empty()) return value;
  throw Error(COWBENCH_TOOL_FAILED,
              "the output of dumpe2fs -h has no line \"" + label + ":\"");
}

std::uint64_t required_number(const std::string& text,
                              const std::string& label) {
  const std::string digits = required(text, label);
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error == std::errc() && stop == end) return number;
  throw Error(COWBENCH_TOOL_FAILED, "dumpe2fs -h says \"" + label + ": " +
                                        digits + "\", which is no number");
}

}  // namespace

Superblock parse_superblock(const std::string& text) {
  Superblock superblock;
  superblock.uuid = required(text, "Filesystem UUID");
  superblock.block_bytes = required_number(text, "Block size");
  superblock.inode_bytes = required_number(text, "Inode size");
  superblock.inodes = required_number(text, "Inode count");
  superblock.journal_size = field(text, "Total journal size");
  if (!field(text, "RAID stride").empty()) {
    superblock.stripe_unit_bytes =
        required_number(text, "RAID stride") * superblock.block_bytes;
  }
  if (!field(text, "RAID stripe width").empty()) {
    superblock.stripe_width_bytes =
        required_number(text, "RAID stripe width") * superblock.block_bytes;
  }
  std::istringstream words(required(text, "Filesystem features"));
  for (std::string word; words >> word;) superblock.features.push_back(word);
  return superblock;
}

std::vector<std::string> missing_features(
    const std::vector<std::string>& asked,
    const std::vector<std::string>& present) {
  std::vector<std::string> missing;
  for (const std::string& feature : asked) {
    if (feature == "none") continue;  // clears mke2fs.conf's own list
    const bool wanted = feature.front() != '^';
    const std::string name = wanted ? feature : feature.substr(1);
    const bool there =
        std::find(present.begin(), present.end(), name) != present.end();
    if (there != wanted) missing.push_back(feature);
  }
  return missing;
}

std::string parse_version(const std::string& text) {
  std::istringstream words(text);
  std::string program, release;
  words >> program >> release;
  return program == "mke2fs" ? release : std::string();
}

}  // namespace cowbench::ext4
