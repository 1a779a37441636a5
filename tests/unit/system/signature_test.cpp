// SPDX-License-Identifier: Apache-2.0
#include "system/signature.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "system/file.hpp"
#include "temporary_folder.hpp"

using namespace cowbench;

namespace {

constexpr std::uint64_t kImageBytes = 8U << 20;

void write_at(const std::string& path, std::uint64_t offset,
              const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(offset));
  file << bytes;
}

std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> (8 * i));
  }
  return text;
}

// A swap area of version 1 at the start.
void put_swap(const std::string& path) {
  write_at(path, 1024, little_endian(1, 4) + little_endian(2047, 4));
  write_at(path, 4086, "SWAPSPACE2");
}

// The superblock of an array member, version 1.0: near the end.
std::uint64_t put_array_member(const std::string& path) {
  const std::uint64_t offset = kImageBytes - 8192;
  write_at(path, offset, little_endian(0xa92b4efc, 4) + little_endian(1, 4));
  write_at(path, offset + 144, little_endian(offset / 512, 8));
  return offset;
}

std::vector<std::string> types(const std::string& path) {
  const auto found = find_signatures(path);
  if (!found) FAIL(found.error().message());
  std::vector<std::string> names;
  for (const auto& signature : *found) names.push_back(signature.type);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("signatures at both ends are found and wiped") {
  const TemporaryFolder folder;
  const auto path = folder.file("image");
  REQUIRE(create_sparse_file(path, kImageBytes));
  CHECK(types(path).empty());
  put_swap(path);
  const auto offset = put_array_member(path);
  // A second superblock where no probe looks.
  write_at(path, (1U << 20) + 4096 + 24, "\xc6\x85\x73\xf6");
  write_at(path, 4U << 20, "data in the middle");

  const auto found = find_signatures(path);
  REQUIRE(found.ok());
  REQUIRE(found->size() == 2);
  CHECK(types(path) == std::vector<std::string>{"linux_raid_member", "swap"});
  for (const auto& signature : *found) {
    const bool swap = signature.type == "swap";
    CHECK(signature.usage == (swap ? "other" : "raid"));
    CHECK(signature.offset_bytes == (swap ? 4086 : offset));
  }

  CHECK(wipe_signatures(path));
  CHECK(types(path).empty());
  const auto content = read_file(path);
  const std::string zeroes(2 << 20, '\0');
  CHECK(content->substr(0, zeroes.size()) == zeroes);
  CHECK(content->substr(kImageBytes - zeroes.size()) == zeroes);
  CHECK(content->find("data in the middle") == 4U << 20);
}

TEST_CASE("a partition table is a signature") {
  const TemporaryFolder folder;
  const auto path = folder.file("image");
  REQUIRE(create_sparse_file(path, kImageBytes));
  // One entry: type 0x83, from sector 2048, 4096 sectors.
  write_at(path, 446 + 4, "\x83");
  write_at(path, 446 + 8, little_endian(2048, 4) + little_endian(4096, 4));
  write_at(path, 510, "\x55\xaa");
  const auto found = find_signatures(path);
  REQUIRE(found.ok());
  REQUIRE(found->size() == 1);
  CHECK(found->front().usage == "partition-table");
  CHECK(found->front().type == "dos");
  CHECK(found->front().offset_bytes == 510);
  CHECK(wipe_signatures(path));
  CHECK(types(path).empty());
}

TEST_CASE("wiping keeps the size of a small image") {
  const TemporaryFolder folder;
  const auto path = folder.file("image");
  REQUIRE(create_sparse_file(path, 64 << 10));
  put_swap(path);
  CHECK(wipe_signatures(path));
  CHECK(read_file(path)->size() == 64 << 10);
}

TEST_CASE("an absent image is an error") {
  const TemporaryFolder folder;
  CHECK_FALSE(find_signatures(folder.file("absent")).ok());
  CHECK_FALSE(wipe_signatures(folder.file("absent")).ok());
}
