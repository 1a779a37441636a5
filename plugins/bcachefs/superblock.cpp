// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/superblock.hpp"

#include <cowbench/error.hpp>
#include <sstream>

#include "bcachefs/words.hpp"

namespace cowbench::bcachefs {
namespace {

struct Line {
  std::string label, value;
};

// "  Bucket size:      128 KiB"; the label of a line without a colon is empty.
Line parse_line(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {};
  return {trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1))};
}

bool has_word(const std::string& list, const std::string& wanted) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == wanted) return true;
  }
  return false;
}

void take_member_line(const Line& line, SuperblockMember& member) {
  if (line.label == "Label" && line.value != "(none)") {
    member.label = words_of(line.value).front();
  } else if (line.label == "UUID") {
    member.uuid = line.value;
  } else if (line.label == "Bucket size") {
    member.bucket_bytes = bytes_of(line.value).value_or(0);
  } else if (line.label == "Durability") {
    member.durability = number_of(line.value).value_or(0);
  } else if (line.label == "Discard") {
    member.discard = line.value == "1";
  }
}

void take_head_line(const Line& line, Superblock& superblock) {
  if (line.label == "External UUID") superblock.uuid = line.value;
  if (line.label == "Version") superblock.version = line.value;
  if (line.label == "Features") superblock.features = line.value;
  if (line.label == "Sections") {
    superblock.encrypted = has_word(line.value, "crypt");
  }
}

enum class Part { kHead, kOptions, kMembers, kOther };

// The part that a line at the left margin opens.
Part part_after(const std::string& text, Part part) {
  if (text.rfind("Options:", 0) == 0) return Part::kOptions;
  if (text.rfind("members_v", 0) == 0) return Part::kMembers;
  if (text.rfind("Device:", 0) == 0) return part;
  return part == Part::kHead ? Part::kHead : Part::kOther;
}

}  // namespace

Superblock parse_superblock(const std::string& text) {
  Superblock superblock;
  Part part = Part::kHead;
  std::istringstream lines(text);
  for (std::string raw; std::getline(lines, raw);) {
    if (raw.empty()) continue;
    const Line line = parse_line(raw);
    if (raw.front() != ' ') {
      part = part_after(raw, part);
      if (part == Part::kMembers && line.label == "Device") {
        superblock.members.emplace_back();
      }
    }
    if (part == Part::kHead) take_head_line(line, superblock);
    if (raw.front() != ' ') continue;
    if (part == Part::kOptions && !line.label.empty()) {
      superblock.options[line.label] = selected(line.value);
    }
    if (part == Part::kMembers && !superblock.members.empty()) {
      take_member_line(line, superblock.members.back());
    }
  }
  const auto require = [](bool there, const char* what) {
    if (there) return;
    throw Error(COWBENCH_TOOL_FAILED,
                std::string("the output of bcachefs show-super has no ") +
                    what + "; is this release of bcachefs-tools known?");
  };
  require(!superblock.uuid.empty(), "line \"External UUID:\"");
  require(!superblock.options.empty(), "part \"Options:\"");
  require(!superblock.members.empty(), "part \"members_v2\"");
  return superblock;
}

std::uint64_t filesystem_id(const std::string& uuid) {
  std::uint64_t id = 0;
  std::size_t digits = 0;
  for (const char c : uuid) {
    if (c == '-') continue;
    const auto digit =
        static_cast<std::uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    // Two digits a byte, the high one first; eight bytes a half.
    id ^= digit << (digits / 2 % 8 * 8 + (digits % 2 == 0 ? 4 : 0));
    ++digits;
  }
  return id;
}

void require_options(const std::map<std::string, std::string>& expected,
                     const std::map<std::string, std::string>& found,
                     const std::string& source) {
  for (const auto& [name, asked] : expected) {
    const auto one = found.find(name);
    const std::string value = one == found.end() ? "(absent)" : one->second;
    if (value == asked) continue;
    const auto asked_bytes = bytes_of(asked), bytes = bytes_of(value);
    if (asked_bytes && bytes && *asked_bytes == *bytes) continue;
    throw Error(COWBENCH_TOOL_FAILED, name + ": asked for " + asked +
                                          ", in effect is " + value + " (" +
                                          source + ")");
  }
}

}  // namespace cowbench::bcachefs
