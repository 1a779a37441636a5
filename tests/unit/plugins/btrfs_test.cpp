// SPDX-License-Identifier: Apache-2.0
#include "btrfs/btrfs.hpp"

#include <linux/btrfs_tree.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "btrfs/facts.hpp"
#include "btrfs/mkfs.hpp"
#include "btrfs/profile.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

// Two devices of 10 GiB; 2 GiB of data and 1 GiB of metadata, both raid1.
btrfs::Facts raid1_facts() {
  btrfs::Facts facts;
  facts.checksum = "crc32c";
  facts.node_bytes = 16384;
  facts.sector_bytes = 4096;
  facts.devices = {{1, "/dev/loop0", 10 * kGib, 3 * kGib},
                   {2, "/dev/loop1", 10 * kGib, 3 * kGib}};
  const std::uint64_t raid1 = BTRFS_BLOCK_GROUP_RAID1;
  facts.spaces = {{BTRFS_BLOCK_GROUP_DATA | raid1, 2 * kGib, kGib},
                  {BTRFS_BLOCK_GROUP_METADATA | raid1, kGib, kGib / 4},
                  {BTRFS_BLOCK_GROUP_SYSTEM | raid1, kGib / 64, 16384}};
  return facts;
}

btrfs::MakeOptions raid1_options() {
  btrfs::MakeOptions options;
  options.data = options.metadata = "raid1";
  options.checksum = "crc32c";
  options.node_bytes = 16384;
  options.sector_bytes = 4096;
  return options;
}

const std::vector<std::string> kDevices = {"/dev/loop0", "/dev/loop1"};

}  // namespace

TEST_CASE("btrfs reads the version of mkfs.btrfs") {
  CHECK(btrfs::parse_version(fixture("btrfs-progs-6.2/version.txt")) == "6.2");
  CHECK(btrfs::parse_version("mkfs.btrfs, part of btrfs-progs").empty());
}

TEST_CASE("btrfs mounts with every device named") {
  CHECK(btrfs::mount_options(kDevices, "no", "") ==
        "device=/dev/loop0,device=/dev/loop1");
  CHECK(btrfs::mount_options(kDevices, "zstd:1", "noatime") ==
        "device=/dev/loop0,device=/dev/loop1,compress=zstd:1,noatime");
}

TEST_CASE("btrfs finds compression in the mount table") {
  const std::string table = fixture("btrfs-progs-6.2/mountinfo.txt");
  CHECK(btrfs::compression_of(table, "/tmp/helpers/fx/s/mnt") == "zstd:1");
  CHECK(btrfs::compression_of(table, "/tmp/helpers/fx/s/mnt2") == "no");
  CHECK(btrfs::compression_of(table, "/elsewhere") == "no");
}

TEST_CASE("btrfs knows what each profile costs and needs") {
  CHECK(btrfs::find_profile("raid7") == nullptr);
  CHECK(btrfs::find_profile("raid1c4")->minimum_devices == 4);
  CHECK(btrfs::raw_factor(*btrfs::find_profile("raid1c3"), 4) == 3);
  CHECK(btrfs::raw_factor(*btrfs::find_profile("raid5"), 4) == Approx(4. / 3));
  CHECK(btrfs::raw_factor(*btrfs::find_profile("raid6"), 4) == 2);
  CHECK(btrfs::raw_factor(*btrfs::find_profile("single"), 4) == 1);
  CHECK(std::string(btrfs::profile_of_flags(BTRFS_BLOCK_GROUP_DATA).name) ==
        "single");
}

TEST_CASE("btrfs gives every truth about space apart") {
  const btrfs::Space space = btrfs::space_of(raid1_facts());
  CHECK(space.raw_bytes == 20 * kGib);
  CHECK(space.allocated_bytes == 6 * kGib);
  CHECK(space.used_bytes == kGib + kGib / 4 + 16384);
  // 1 GiB left in data chunks, and 14 GiB unallocated at two copies.
  CHECK(space.usable_bytes == 8 * kGib);
}

TEST_CASE("btrfs accepts what is as asked") {
  CHECK_NOTHROW(
      btrfs::require_as_asked(raid1_facts(), raid1_options(), kDevices));
}

TEST_CASE("btrfs fails when a profile is not in effect") {
  btrfs::MakeOptions options = raid1_options();
  options.metadata = "raid1c3";
  CHECK_THROWS_WITH(btrfs::require_as_asked(raid1_facts(), options, kDevices),
                    "metadata: asked for raid1c3, in effect is raid1");
}

TEST_CASE("btrfs fails when chunks of a second profile are there") {
  btrfs::Facts facts = raid1_facts();
  facts.spaces.push_back({BTRFS_BLOCK_GROUP_DATA, kGib, 0});
  CHECK_THROWS_WITH(btrfs::require_as_asked(facts, raid1_options(), kDevices),
                    Catch::Contains("raid1 single"));
}

TEST_CASE("btrfs fails when a stranger is among the devices") {
  btrfs::Facts facts = raid1_facts();
  facts.devices[1].path = "/dev/sdz";
  CHECK_THROWS_WITH(btrfs::require_as_asked(facts, raid1_options(), kDevices),
                    Catch::Contains("/dev/sdz"));
}

TEST_CASE("btrfs knows a device by another of its names") {
  std::string folder = "/tmp/cowbench-unit-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::ofstream(folder + "/target");
  std::filesystem::create_symlink(folder + "/target", folder + "/other");
  btrfs::Facts facts = raid1_facts();
  facts.devices[0].path = folder + "/target";
  CHECK_NOTHROW(btrfs::require_as_asked(facts, raid1_options(),
                                        {folder + "/other", kDevices[1]}));
  std::filesystem::remove_all(folder);
}

TEST_CASE("btrfs announces one mkfs over all devices") {
  FakeHost fake;
  fake.describe<btrfs::Btrfs>();
  for (const std::string& device : kDevices) fake.add_device(device, kGib);
  fake.set("data", "raid1");
  fake.set("metadata", "raid1");
  btrfs::Btrfs layer(fake.host());
  layer.check();
  CHECK(fake.problems.empty());
  layer.plan();
  CHECK(fake.planned == std::vector<std::vector<std::string>>{
                            {"mkfs.btrfs", "-f", "-q", "-K", "-d", "raid1",
                             "-m", "raid1", "--csum", "crc32c", "-n", "16384",
                             "-s", "4096", "/dev/loop0", "/dev/loop1"}});
}

TEST_CASE("btrfs names both profiles that lack devices") {
  FakeHost fake;
  fake.describe<btrfs::Btrfs>();
  for (const std::string& device : kDevices) fake.add_device(device, kGib);
  fake.set("data", "raid6");
  fake.set("metadata", "raid1c4");
  btrfs::Btrfs(fake.host()).check();
  CHECK(fake.problems ==
        std::vector<std::string>{
            "data: raid6 needs at least 3 devices, there are 2",
            "metadata: raid1c4 needs at least 4 devices, there are 2"});
}
