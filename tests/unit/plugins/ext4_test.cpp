// SPDX-License-Identifier: Apache-2.0
#include "ext4/ext4.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "ext4/mkfs.hpp"
#include "ext4/superblock.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

// A host whose mkfs.ext4 succeeds and whose dumpe2fs answers a stored output.
void prepare(FakeHost& fake) {
  fake.describe<ext4::Ext4>();
  fake.add_device("/dev/loop0", std::uint64_t{1} << 30);
  fake.reply("dumpe2fs",
             FakeHost::exits(0, fixture("e2fsprogs-1.47.0/dumpe2fs-4k.txt")));
}

}  // namespace

TEST_CASE("ext4 reads the superblock that dumpe2fs prints") {
  const ext4::Superblock found =
      ext4::parse_superblock(fixture("e2fsprogs-1.47.0/dumpe2fs-4k.txt"));
  CHECK(found.uuid == "cb611152-694c-432b-b67c-4237c55bc92f");
  CHECK(found.block_bytes == 4096);
  CHECK(found.inode_bytes == 256);
  CHECK(found.inodes == 65536);
  CHECK(found.journal_size == "32M");
  CHECK(found.features.size() == 14);
  CHECK(found.features.front() == "has_journal");
}

TEST_CASE("ext4 sees the small blocks that a small device gets by default") {
  const ext4::Superblock found = ext4::parse_superblock(
      fixture("e2fsprogs-1.47.0/dumpe2fs-small-default.txt"));
  CHECK(found.block_bytes == 1024);
}

TEST_CASE("ext4 names the line that dumpe2fs did not print") {
  CHECK_THROWS_WITH(ext4::parse_superblock("dumpe2fs 1.47.0 (5-Feb-2023)\n"),
                    Catch::Contains("Filesystem UUID"));
}

TEST_CASE("ext4 compares features asked for with those present") {
  const std::vector<std::string> present = {"extent", "64bit"};
  CHECK(ext4::missing_features({"extent", "^quota", "none"}, present).empty());
  CHECK(ext4::missing_features({"quota", "^64bit"}, present) ==
        std::vector<std::string>{"quota", "^64bit"});
}

TEST_CASE("ext4 reads the version of mkfs.ext4") {
  CHECK(ext4::parse_version(fixture("e2fsprogs-1.47.0/version.txt")) ==
        "1.47.0");
  CHECK(ext4::parse_version("something else").empty());
}

TEST_CASE("ext4 gives mkfs every parameter that depends on the device") {
  FakeHost fake;
  prepare(fake);
  fake.set("features", std::vector<std::string>{"^has_journal", "quota"});
  fake.set("extended_options", std::vector<std::string>{"stride=16"});
  fake.set("mkfs_arguments", std::vector<std::string>{"-m", "0"});
  ext4::Ext4(fake.host()).plan();
  CHECK(fake.planned.at(0) ==
        std::vector<std::string>{
            "mkfs.ext4", "-F", "-q", "-b", "4096", "-I", "256", "-i", "16384",
            "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0,stride=16",
            "-O", "^has_journal,quota", "-m", "0", "/dev/loop0"});
}

TEST_CASE("ext4 fails when a feature is not in effect") {
  FakeHost fake;
  prepare(fake);
  fake.set("features", std::vector<std::string>{"quota"});
  ext4::Ext4 layer(fake.host());
  CHECK_THROWS_WITH(layer.assemble(), Catch::Contains("asked for quota"));
  CHECK(fake.mounts.empty());
}

TEST_CASE("ext4 fails when the block size is not the one asked for") {
  FakeHost fake;
  prepare(fake);
  fake.set("block_size", "1KiB");
  ext4::Ext4 layer(fake.host());
  CHECK_THROWS_WITH(layer.assemble(),
                    Catch::Contains("asked for 1024, in effect is 4096"));
}

TEST_CASE("ext4 runs what it announces") {
  FakeHost fake;
  prepare(fake);
  // Not mounted for real: the last step of assemble() can't ask the kernel.
  fake.mount_point = "/nonexistent/cowbench";
  ext4::Ext4 layer(fake.host());
  layer.plan();
  CHECK_THROWS(layer.assemble());
  std::vector<std::vector<std::string>> ran;
  for (const Command& command : fake.commands) ran.push_back(command.argv);
  CHECK(ran == fake.planned);
  CHECK(fake.mounts.at("/nonexistent/cowbench").source == "/dev/loop0");
  CHECK(fake.state.at("uuid") == "cb611152-694c-432b-b67c-4237c55bc92f");
  CHECK(fake.effective.at("block_size") == "4096");
}

TEST_CASE("ext4 reports every contradiction at once") {
  FakeHost fake;
  prepare(fake);
  fake.set("block_size", "3KiB");
  fake.set("inode_size", "8KiB");
  fake.set("bytes_per_inode", "1KiB");
  ext4::Ext4(fake.host()).check();
  CHECK(fake.problems.size() == 3);
}

TEST_CASE("ext4 declares the least that cold metadata can be") {
  FakeHost fake;
  prepare(fake);
  ext4::Ext4 layer(fake.host());
  // Less what inode read-ahead may have fetched before the pass.
  constexpr std::uint64_t kReadAhead = 2 * 32 * 4096;
  CHECK(layer.cold_metadata_bytes(100'000, false) == 1'200'000 - kReadAhead);
  CHECK(layer.cold_metadata_bytes(1000, true) == 268'000 - kReadAhead);
  CHECK(layer.cold_metadata_bytes(1000, false) == 1);
}
