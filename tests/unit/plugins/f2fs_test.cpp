// SPDX-License-Identifier: Apache-2.0
#include "f2fs/f2fs.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "f2fs/facts.hpp"
#include "f2fs/mkfs.hpp"
#include "f2fs/overprovision.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

}  // namespace

TEST_CASE("f2fs reads the version of mkfs.f2fs") {
  CHECK(f2fs::parse_version(fixture("f2fs/f2fs-tools-1.16.0-version.txt")) ==
        "1.16.0");
  CHECK(f2fs::parse_version("usage").empty());
}

TEST_CASE("f2fs reads the superblock of a device") {
  // The first 4 KiB of a device, made with -s 2 and a UUID of its own.
  const auto found =
      f2fs::parse_superblock(fixture("f2fs/f2fs-tools-1.16.0-superblock.bin"));
  CHECK(found.uuid == "5c1f7a80-3d2e-4f6b-8a9c-0d1e2f304152");
  CHECK(found.segments_per_section == 2);
  CHECK(found.block_bytes == 4096);
  CHECK_THROWS_WITH(f2fs::parse_superblock(std::string(4096, '\0')),
                    "there is no F2FS superblock at byte 1024");
  CHECK_THROWS_AS(f2fs::parse_superblock("short"), Error);
}

namespace {

// Of the stored runs of mkfs.f2fs: "o7.5", "o20-s2", ...
f2fs::Superblock made(const std::string& run) {
  return f2fs::parse_superblock(
      fixture("f2fs/f2fs-tools-1.16.0-superblock-" + run + ".bin"));
}

// The segments for cleaning that mkfs.f2fs said it made, which are those that
// the kernel says when it is mounted.
std::string kept(const std::string& release, const std::string& run) {
  const std::string said =
      fixture("f2fs/f2fs-tools-" + release + "-mkfs-" + run + ".txt");
  const std::string label = "Overprovision segments = ";
  const std::size_t begin = said.find(label) + label.size();
  return said.substr(begin, said.find(' ', begin) - begin);
}

}  // namespace

TEST_CASE("f2fs accepts the space for cleaning that mkfs.f2fs makes") {
  CHECK(made("o7.5").main_segments == 502);
  CHECK(made("o20-s2").main_segments == 1010);
  CHECK(kept("1.16.0", "o7.5") == "38");
  CHECK(kept("1.15.0", "o7.5") == "69");
  for (const char* release : {"1.16.0", "1.15.0"}) {
    const auto accepted = [&](const char* run, double percent) {
      INFO(release << " " << run);
      CHECK_NOTHROW(
          f2fs::require_overprovision(made(run), percent, kept(release, run)));
    };
    accepted("o7.5", 7.5);
    // So little that what is reserved is more.
    accepted("o1", 1);
    accepted("o20-s2", 20);
    accepted("o7.5-s4", 7.5);
    accepted("o7.5", 0);
  }
  CHECK(f2fs::overprovision_text(made("o7.5"), "38") == "7.57");
  CHECK(f2fs::overprovision_text(made("o1"), "109") == "21.71");
}

TEST_CASE("f2fs refuses another space for cleaning than was asked for") {
  const auto refused = [](const char* run, double percent) {
    CHECK_THROWS_WITH(
        f2fs::require_overprovision(made(run), percent, kept("1.16.0", run)),
        Catch::Contains("overprovision_percent"));
  };
  refused("o7.5", 10);
  refused("o7.5", 5.5);
  refused("o1", 1.2);
  refused("o20-s2", 18);
  refused("o7.5-s4", 8.5);
  CHECK_THROWS_WITH(f2fs::require_overprovision(made("o7.5"), 7.5, "many"),
                    Catch::Contains("not a number"));
}

TEST_CASE("f2fs finds compression in the mount table") {
  const std::string options = f2fs::options_at(
      fixture("f2fs/linux-6.12.117-mountinfo-compressed.txt"), "/mnt/a");
  CHECK(f2fs::compression_of(options) == "zstd:3");
  const std::string table = fixture("f2fs/linux-6.12.117-mountinfo-plain.txt");
  CHECK(f2fs::compression_of(f2fs::options_at(table, "/mnt/a")) == "no");
  CHECK(f2fs::options_at(table, "/elsewhere").empty());
  // Only files that ask for it.
  CHECK(f2fs::compression_of("rw,compress_algorithm=lz4") == "no");
}

TEST_CASE("f2fs tells missing features") {
  const auto present = f2fs::parse_features(
      "extra_attr, inode_checksum, sb_checksum, compression, pin_file");
  CHECK(present.size() == 5);
  CHECK(f2fs::missing_features({"compression", "extra_attr"}, present).empty());
  CHECK(f2fs::missing_features({"verity"}, present) ==
        std::vector<std::string>{"verity"});
  CHECK(f2fs::parse_features("").empty());
}

TEST_CASE("f2fs says when the kernel has no such filesystem") {
  CHECK_THROWS_WITH(f2fs::read_facts("vdz", "/nonexistent"),
                    Catch::Contains("no F2FS on vdz"));
}

TEST_CASE("f2fs announces its mkfs") {
  FakeHost fake;
  fake.describe<f2fs::F2fs>();
  fake.add_device("/dev/x1", 1024 * kMib);
  f2fs::F2fs layer(fake.host());
  layer.check();
  CHECK(fake.problems.empty());
  layer.plan();
  CHECK(fake.planned ==
        std::vector<std::vector<std::string>>{
            {"mkfs.f2fs", "-f", "-q", "-t", "0", "-s", "1", "/dev/x1"}});
}

TEST_CASE("f2fs gives compression the features that it needs") {
  FakeHost fake;
  fake.describe<f2fs::F2fs>();
  fake.add_device("/dev/x1", 1024 * kMib);
  fake.set("compress", "zstd:3");
  fake.set("features",
           std::vector<std::string>{"inode_checksum", "extra_attr"});
  fake.set("overprovision_percent", "7.5");
  CHECK(f2fs::mkfs_command(f2fs::make_options(fake.host()), "/dev/x1") ==
        std::vector<std::string>{
            "mkfs.f2fs", "-f", "-q", "-t", "0", "-s", "1", "-o", "7.5", "-O",
            "inode_checksum,extra_attr,compression", "/dev/x1"});
  CHECK(f2fs::mount_options("zstd:3", "noatime") ==
        "compress_algorithm=zstd:3,compress_extension=*,noatime");
  CHECK(f2fs::mount_options("no", "").empty());
}

TEST_CASE("f2fs refuses a device that is too small") {
  FakeHost fake;
  fake.describe<f2fs::F2fs>();
  fake.add_device("/dev/x1", 16 * kMib);
  f2fs::F2fs(fake.host()).check();
  REQUIRE(fake.problems.size() == 1);
  CHECK_THAT(fake.problems[0], Catch::Contains("/dev/x1 has 16777216 bytes"));
}

TEST_CASE("f2fs asks a block for each inode of a cold pass") {
  FakeHost fake;
  fake.describe<f2fs::F2fs>();
  fake.add_device("/dev/x1", 1024 * kMib);
  f2fs::F2fs layer(fake.host());
  CHECK(layer.cold_metadata_bytes(1000, false) == 1);
  CHECK(layer.cold_metadata_bytes(5000, true) == 5000 * 4115 - 256 * 1024);
}
