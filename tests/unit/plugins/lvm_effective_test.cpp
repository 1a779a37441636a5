// SPDX-License-Identifier: Apache-2.0
// What is in effect on captured machines, held against what was asked for.
#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "lvm/cache_settings.hpp"
#include "lvm/lvm.hpp"
#include "lvm/read_back.hpp"
#include "lvm/shares.hpp"
#include "lvm_fixtures.hpp"

using namespace cowbench;
using namespace cowbench::testing;

namespace {

// Two slow devices behind a fast one.
void describe_cached(FakeHost& fake) {
  fake.describe<lvm::Lvm>();
  fake.add_device("/dev/vdg", kGib, "fast");
  fake.add_device("/dev/vdc", kGib, "slow");
  fake.add_device("/dev/vdd", kGib, "slow");
  fake.set("type", "striped");
  fake.set("cache", "writecache");
}

// The group of these reports had far larger devices, and its volume was made by
// hand. Devices of so many extents give the same volume when half of each is
// asked for.
constexpr std::uint64_t kPlainExtents = 2 * 126, kCheckedExtents = 2 * 129;

lvm::ReadBack found_in(const std::string& what, std::uint64_t device) {
  return {lvm::row_of(lvm::parse_report(report("vgs-" + what + ".json"), "vg"),
                      "vg_name", kGroup),
          lvm::parse_report(report("lvs-" + what + ".json"), "lv"),
          lvm::parse_targets(mappings("table-" + what + ".txt"), kGroup),
          {std::vector<std::uint64_t>(4, device), {}}};
}

// The reports on the group stand in each line of these.
lvm::ReadBack found_alone(const std::string& what,
                          const lvm::DeviceExtents& devices) {
  const auto rows = lvm::parse_report(report("lvs-" + what + ".json"), "lv");
  return {rows.front(), rows,
          lvm::parse_targets(mappings("table-" + what + ".txt"),
                             rows.front().text("vg_name")),
          devices};
}

lvm::ReadBack writecache() {
  return found_alone("writecache", {{767, 767}, {767}});
}

lvm::ReadBack vdo() { return found_alone("vdo", {{767, 767}, {}}); }

std::string refusal(FakeHost& fake, const lvm::ReadBack& found) {
  try {
    lvm::require_as_asked(lvm::read_settings(fake.host()), found);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("lvm accepts what is in effect as asked for") {
  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  fake.set("volume_percent", 50);
  const auto plain = found_in("raid10", kPlainExtents);
  CHECK_NOTHROW(lvm::require_as_asked(lvm::read_settings(fake.host()), plain));
  lvm::report_effective(fake.host(), lvm::read_settings(fake.host()), plain);
  CHECK(fake.effective["type"] == "raid10");
  CHECK(fake.effective["stripes"] == "2");
  CHECK(fake.effective["size"] == "1048576000");
  CHECK(fake.effective["raid_integrity"] == "false");
  CHECK(fake.effective["mirrors"] == "1");
  CHECK(fake.effective["volume_percent"] == "50.00");

  fake.set("raid_integrity", "true");
  fake.set("raid_integrity_block_size", "4096");
  const auto checked = found_in("raid10-int", kCheckedExtents);
  CHECK_NOTHROW(
      lvm::require_as_asked(lvm::read_settings(fake.host()), checked));
  lvm::report_effective(fake.host(), lvm::read_settings(fake.host()), checked);
  CHECK(fake.effective["raid_integrity_algorithm"] == "crc32c");
  CHECK(fake.effective["raid_integrity_mode"] == "journal");
}

TEST_CASE("lvm refuses what is in effect otherwise than asked for") {
  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  fake.set("volume_percent", 50);
  const auto refused = [&fake](const char* key, const char* value,
                               const std::string& what) {
    fake.set(key, value);
    try {
      lvm::require_as_asked(lvm::read_settings(fake.host()),
                            found_in(what, kPlainExtents));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refused("raid_integrity", "true", "raid10"),
             Catch::Contains("checksums: asked for 4, in effect is 0"));
  CHECK_THAT(refused("raid_integrity", "false", "raid10-int"),
             Catch::Contains("checksums: asked for 0, in effect is 4"));
  CHECK_THAT(refused("region_size", "4MiB", "raid10"),
             Catch::Contains("region_size of volume: asked for 4194304"));
  CHECK_THAT(refused("extent_size", "8MiB", "raid10"),
             Catch::Contains("extent_size"));
  fake.set("extent_size", "4MiB");
  fake.set("region_size", "2MiB");
  CHECK_THAT(refused("type", "raid5", "raid10"),
             Catch::Contains("asked for raid5, in effect is raid10"));
  fake.set("type", "raid10");
  CHECK_THAT(refused("raid_integrity_mode", "bitmap", "raid10"),
             Catch::Equals(""));
  fake.set("raid_integrity_block_size", "4096");
  CHECK_THAT(refused("raid_integrity", "true", "raid10-int"),
             Catch::Contains("raidintegritymode"));
}

TEST_CASE("lvm refuses an array that is not in sync yet") {
  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  auto found = found_in("raid10", kPlainExtents);
  found.volumes = lvm::parse_report(report("lvs-raid10-syncing.json"), "lv");
  CHECK_THROWS_WITH(
      lvm::require_as_asked(lvm::read_settings(fake.host()), found),
      Catch::Contains("sync_percent of volume: asked for 100.00"));
}

TEST_CASE("lvm reads a cached volume back, kernel and all") {
  FakeHost fake;
  describe_cached(fake);
  const lvm::ReadBack found = writecache();
  CHECK_NOTHROW(lvm::require_as_asked(lvm::read_settings(fake.host()), found));
  lvm::report_effective(fake.host(), lvm::read_settings(fake.host()), found);
  CHECK(fake.effective["cache"] == "writecache");
  CHECK(fake.effective["cache_size"] == "3217031168");
  CHECK(fake.effective["stripes"] == "2");
  CHECK(fake.effective["volume_percent"] == "100.00");
  CHECK(fake.effective["cache_settings"] == "block_size=4096");
  fake.set("writecache_block_size", "512");
  CHECK_THROWS_WITH(
      lvm::require_as_asked(lvm::read_settings(fake.host()), found),
      Catch::Contains("writecache_block_size"));
  fake.set("cache", "writeback");
  CHECK_THROWS_AS(lvm::require_as_asked(lvm::read_settings(fake.host()), found),
                  Error);
}

TEST_CASE("lvm reads a VDO volume back, kernel and all") {
  FakeHost fake;
  describe(fake, 2);
  fake.set("type", "striped");
  fake.set("pool", "vdo");
  fake.set("vdo_slab_size", "128MiB");
  const lvm::ReadBack found = vdo();
  CHECK_NOTHROW(lvm::require_as_asked(lvm::read_settings(fake.host()), found));
  lvm::report_effective(fake.host(), lvm::read_settings(fake.host()), found);
  CHECK(fake.effective["vdo_deduplication"] == "true");
  CHECK(fake.effective["vdo_operating_mode"] == "normal");
  CHECK(fake.effective["vdo_sparse_index"] == "false");
  CHECK(fake.effective["virtual_percent"] == "100.00");
  for (const char* key : {"vdo_compression", "vdo_deduplication"}) {
    fake.set(key, "false");
    CHECK_THROWS_WITH(
        lvm::require_as_asked(lvm::read_settings(fake.host()), found),
        Catch::Contains(key));
    fake.set(key, "true");
  }
  fake.set("vdo_slab_size", "2GiB");
  CHECK_THROWS_WITH(
      lvm::require_as_asked(lvm::read_settings(fake.host()), found),
      Catch::Contains("vdo_slab_size of pool: asked for 2147483648"));
}

TEST_CASE("lvm refuses a volume that takes another share of its devices") {
  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  const auto plain = found_in("raid10", kPlainExtents);
  // 49 % of 252 extents, less one of records, are 122 in each stripe.
  fake.set("volume_percent", 49);
  CHECK_THAT(refusal(fake, plain),
             Catch::Contains("size of volume: asked for 1023410176, in effect "
                             "is 1048576000"));
  fake.set("volume_percent", 51);
  CHECK_THAT(refusal(fake, plain), Catch::Contains("size of volume"));
  // The size is right, but checksums came on top of the share.
  fake.set("volume_percent", 50);
  auto found = plain;
  found.group =
      lvm::row_of(lvm::parse_report(report("vgs-raid10-int.json"), "vg"),
                  "vg_name", kGroup);
  CHECK_THAT(
      refusal(fake, found),
      Catch::Contains("volume_percent: asked for 50, in effect is 51.19: "
                      "516 extents are taken, and 504 may be"));
}

TEST_CASE("lvm takes what is rounded down for the share that was asked for") {
  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  fake.set("volume_percent", 50);
  const auto found = found_in("raid10", kPlainExtents + 1);
  CHECK(refusal(fake, found).empty());
  lvm::report_effective(fake.host(), lvm::read_settings(fake.host()), found);
  CHECK(fake.effective["volume_percent"] == "49.80");
}

TEST_CASE("lvm does not count a cache among what the volume takes") {
  FakeHost fake;
  describe_cached(fake);
  const lvm::Settings settings = lvm::read_settings(fake.host());
  CHECK(lvm::taken_extents(settings, writecache()) == 1534);
  CHECK(lvm::taken_extents(settings, writecache()) ==
        writecache().group.number("vg_extent_count") - 767);
}

TEST_CASE("lvm compares what a volume claims of a pool") {
  FakeHost fake;
  describe(fake, 2);
  fake.set("type", "striped");
  fake.set("pool", "vdo");
  fake.set("vdo_slab_size", "128MiB");
  fake.set("virtual_percent", 100);
  CHECK(refusal(fake, vdo()).empty());
  fake.set("virtual_percent", 150);
  CHECK_THAT(refusal(fake, vdo()),
             Catch::Contains("virtual_percent 150.00: asked for 2301, in "
                             "effect is 1534"));
  const lvm::Settings settings = lvm::read_settings(fake.host());
  CHECK_NOTHROW(lvm::require_virtual_size(settings, 1001, 1501));
  // As LVM rounds up.
  CHECK_NOTHROW(lvm::require_virtual_size(settings, 1001, 1502));
  CHECK_THROWS(lvm::require_virtual_size(settings, 1001, 1500));
  CHECK_THROWS(lvm::require_virtual_size(settings, 1001, 1503));
}

TEST_CASE("lvm refuses a volume that its pool cannot hold") {
  FakeHost fake;
  describe(fake, 2);
  fake.set("pool", "vdo");
  const lvm::Settings settings = lvm::read_settings(fake.host());
  CHECK_NOTHROW(lvm::require_virtual_size(settings, 1534, 817));
  CHECK_THROWS_WITH(lvm::require_virtual_size(settings, 1000, 1001),
                    Catch::Contains("100.10 %"));
}

TEST_CASE("lvm compares the settings of writecache with the kernel's") {
  FakeHost fake;
  describe_cached(fake);
  const auto asked = [&fake](const std::vector<std::string>& settings) {
    fake.set("cache_settings", settings);
  };
  asked({"high_watermark=40"});
  CHECK_THAT(refusal(fake, writecache()),
             Catch::Contains("cache_settings: high_watermark: asked for 40, in "
                             "effect is none"));
  asked({"block_size=4096 cleaner=0", "max_age=default"});
  CHECK(refusal(fake, writecache()).empty());
  asked({"cleaner=1"});
  CHECK_THAT(refusal(fake, writecache()), Catch::Contains("cleaner"));

  // As the kernel adds words to the captured line.
  auto found = writecache();
  for (lvm::Target& target : found.targets) {
    if (target.type != "writecache") continue;
    target.arguments.back() = "3";
    for (const char* word : {"high_watermark", "40", "cleaner"}) {
      target.arguments.emplace_back(word);
    }
  }
  asked({"high_watermark = 40,cleaner=1"});
  CHECK(refusal(fake, found).empty());
  CHECK(lvm::settings_text(
            lvm::settings_in_effect(lvm::read_settings(fake.host()), found)) ==
        "block_size=4096,cleaner=1,high_watermark=40");
  asked({"high_watermark=41"});
  CHECK_THAT(refusal(fake, found), Catch::Contains("in effect is 40"));
}

TEST_CASE("lvm compares the settings of dm-cache with the kernel's") {
  FakeHost fake;
  describe_cached(fake);
  fake.set("cache", "writeback");
  const auto compared = [&fake](const std::string& asked,
                                const std::string& reported) {
    fake.set("cache_settings", std::vector<std::string>{asked});
    lvm::require_cache_settings(lvm::read_settings(fake.host()),
                                lvm::named_settings({reported}));
  };
  CHECK_NOTHROW(
      compared("migration_threshold=4096", "migration_threshold=4096"));
  // LVM raises it to eight chunks of 64 KiB.
  CHECK_NOTHROW(compared("migration_threshold=17", "migration_threshold=1024"));
  CHECK_THROWS_WITH(
      compared("migration_threshold=4096", "migration_threshold=2048"),
      Catch::Contains("asked for 4096, in effect is 2048"));
  CHECK_THROWS_WITH(compared("random_threshold=4", "migration_threshold=2048"),
                    Catch::Contains("asked for 4, in effect is none"));
}

TEST_CASE("lvm compares the metadata of a thin pool with what was asked for") {
  FakeHost fake;
  describe(fake, 1);
  fake.set("pool", "thin");
  fake.set("thin_metadata_size", "10MiB");
  const auto compared = [&fake](const char* reported) {
    lvm::require_thin_metadata(lvm::read_settings(fake.host()), {{255}, {}},
                               reported);
  };
  // Rounded up to extents of 4 MiB.
  CHECK_NOTHROW(compared("12582912"));
  CHECK_THROWS_WITH(compared("8388608"),
                    Catch::Contains("thin_metadata_size: asked for 12582912, "
                                    "in effect is 8388608"));
}
