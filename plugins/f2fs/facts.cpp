// SPDX-License-Identifier: Apache-2.0
#include "f2fs/facts.hpp"

#include <algorithm>
#include <cerrno>
#include <cowbench/mounted.hpp>
#include <fstream>
#include <sstream>
#include <system_error>

namespace cowbench::f2fs {
namespace {

// The superblock's offset, and offsets within it. All numbers are
// little-endian.
constexpr std::size_t kSuperblockOffset = 1024;
constexpr std::size_t kBlockShiftOffset = 16, kSegmentsOffset = 24;
constexpr std::size_t kMainSegmentsOffset = 68, kUuidOffset = 108;
constexpr std::uint32_t kMagic = 0xF2F52010;

std::uint32_t number_at(const std::string& bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) {
    number = number << 8 |
             static_cast<unsigned char>(bytes[kSuperblockOffset + offset + i]);
  }
  return number;
}

std::string read_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

}  // namespace

Superblock parse_superblock(const std::string& bytes) {
  if (bytes.size() < kSuperblockOffset + kUuidOffset + 16 ||
      number_at(bytes, 0) != kMagic) {
    throw Error(COWBENCH_TOOL_FAILED,
                "there is no F2FS superblock at byte 1024");
  }
  Superblock superblock;
  superblock.uuid = uuid_text(reinterpret_cast<const unsigned char*>(
      bytes.data() + kSuperblockOffset + kUuidOffset));
  superblock.segments_per_section = number_at(bytes, kSegmentsOffset);
  superblock.block_bytes = 1U << (number_at(bytes, kBlockShiftOffset) & 31);
  superblock.main_segments = number_at(bytes, kMainSegmentsOffset);
  return superblock;
}

Superblock read_superblock(const std::string& device) {
  std::ifstream file(device, std::ios::binary);
  std::string bytes(4096, '\0');
  if (!file.read(&bytes[0], static_cast<std::streamsize>(bytes.size()))) {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(),
                            "read the superblock of " + device);
  }
  try {
    return parse_superblock(bytes);
  } catch (const Error& error) {
    throw Error(error.status(), device + ": " + error.what());
  }
}

std::vector<std::string> parse_features(const std::string& text) {
  std::vector<std::string> features;
  std::istringstream list(text);
  for (std::string word; list >> word;) {
    if (word.back() == ',') word.pop_back();
    if (!word.empty()) features.push_back(word);
  }
  return features;
}

Facts read_facts(const std::string& device, const std::string& root) {
  const std::string folder = root + "/" + device;
  Facts facts;
  facts.features = parse_features(read_line(folder + "/features"));
  facts.overprovision_segments = read_line(folder + "/ovp_segments");
  if (!facts.overprovision_segments.empty()) return facts;
  throw Error(COWBENCH_DEVICE_LOST, "the kernel has no F2FS on " + device +
                                        ": " + folder +
                                        "/ovp_segments cannot be read");
}

std::vector<std::string> missing_features(
    const std::vector<std::string>& asked,
    const std::vector<std::string>& present) {
  std::vector<std::string> missing;
  for (const std::string& feature : asked) {
    if (std::find(present.begin(), present.end(), feature) == present.end()) {
      missing.push_back(feature);
    }
  }
  return missing;
}

std::string compression_of(const std::string& options) {
  std::string algorithm;
  bool all = false;
  std::istringstream list(options);
  for (std::string option; std::getline(list, option, ',');) {
    const std::string name = "compress_algorithm=";
    if (option.rfind(name, 0) == 0) algorithm = option.substr(name.size());
    if (option == "compress_extension=*") all = true;
  }
  // An algorithm alone compresses only files that ask for it.
  return all && !algorithm.empty() ? algorithm : "no";
}

std::string options_at(const std::string& mountinfo,
                       const std::string& target) {
  // Blanks and backslashes in a target are written in octal.
  std::string escaped;
  for (const char c : target) {
    if (c == ' ') {
      escaped += "\\040";
    } else if (c == '\\') {
      escaped += "\\134";
    } else {
      escaped += c;
    }
  }
  std::string options;
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.size() > 5 && words[4] == escaped) options = words.back();
  }
  return options;
}

}  // namespace cowbench::f2fs
