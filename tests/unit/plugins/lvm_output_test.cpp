// SPDX-License-Identifier: Apache-2.0
// What LVM's tools and dmsetup print, as captured.
#include <catch2/catch.hpp>
#include <cowbench/error.hpp>

#include "lvm/mapping.hpp"
#include "lvm/report.hpp"
#include "lvm_fixtures.hpp"

using namespace cowbench;
using namespace cowbench::testing;

TEST_CASE("lvm reads its own version") {
  CHECK(lvm::parse_version(report("version.txt")) == "2.03.31(2)");
  CHECK(lvm::parse_version("").empty());
}

TEST_CASE("lvm finds the report behind warnings and refuses what is none") {
  const std::string json = report("vgs-raid10.json");
  CHECK(lvm::parse_report("  WARNING: look {out}\n" + json, "vg").size() == 1);
  CHECK_THROWS_WITH(lvm::parse_report("", "vg"), Catch::Contains("no JSON"));
  CHECK_THROWS_WITH(lvm::parse_report("{", "vg"), Catch::Contains("not JSON"));
  CHECK_THROWS_WITH(lvm::parse_report(json, "lv"),
                    Catch::Contains("no report of kind"));
}

TEST_CASE("lvm tells its own mappings from those of a longer name") {
  CHECK(lvm::mapping_name("a-b", "c-d") == "a--b-c--d");
  const std::string listing = mappings("ls-raid10.txt") +
                              "cb6329a7642860--lvm--2-volume\t(253:40)\n"
                              "cb6329a7642860\t(253:41)\n";
  CHECK(lvm::mappings_of(listing, kOther).size() == 9);
  CHECK(lvm::mappings_of(listing, std::string(kOther) + "-2") ==
        std::vector<std::string>{"cb6329a7642860--lvm--2-volume"});
  CHECK(lvm::mappings_of("No devices found\n", kGroup).empty());
}

TEST_CASE("lvm reads the version of a target") {
  const std::string targets = mappings("targets.txt");
  CHECK(lvm::target_version(targets, "raid") == "1.15.1");
  CHECK(lvm::target_version(targets, "vdo").empty());
}

TEST_CASE("lvm reads the extents of its devices") {
  const auto rows = lvm::parse_report(report("pvs-raid10.json"), "pv");
  CHECK(rows.size() == 4);
  CHECK(lvm::row_of(rows, "pv_name", "/dev/vdf").number("pv_pe_count") == 255);
  CHECK(rows[0].text("pv_duplicate").empty());
}

TEST_CASE("lvm follows the first synchronisation of an array") {
  const auto status = [](const std::string& what) {
    return lvm::parse_targets(mappings("status-" + what), kGroup);
  };
  const auto begun = lvm::raid_sync(status("raid10-syncing.txt").at(0));
  CHECK(begun.done == 1558272);
  CHECK(begun.all == 2048000);
  CHECK_FALSE(begun.complete());
  CHECK(lvm::raid_sync(status("raid10.txt").at(0)).complete());
}

TEST_CASE("lvm waits for an array that says idle before it has begun") {
  lvm::Target target{"x", 0, 8, "raid", {"raid10", "2", "aa", "8/8", "idle"}};
  CHECK_FALSE(lvm::raid_sync(target).complete());
  target.arguments[2] = "AA";
  CHECK(lvm::raid_sync(target).complete());
  target.arguments[2] = "AD";
  CHECK_THROWS_WITH(lvm::raid_sync(target), Catch::Contains("failed"));
  target.arguments = {"raid10"};
  CHECK_THROWS_WITH(lvm::raid_sync(target), Catch::Contains("not the status"));
}

TEST_CASE("lvm knows when all checksums are computed") {
  const auto targets =
      lvm::parse_targets(mappings("status-raid10-int.txt"), kGroup);
  const auto first = std::find_if(
      targets.begin(), targets.end(),
      [](const lvm::Target& one) { return one.type == "integrity"; });
  REQUIRE(first != targets.end());
  CHECK(lvm::integrity_init(*first).complete());
  lvm::Target target = *first;
  target.arguments[2] = "4096";
  CHECK_FALSE(lvm::integrity_init(target).complete());
  target.arguments[2] = "-";
  CHECK(lvm::integrity_init(target).complete());
}

TEST_CASE("lvm does not look at mappings of others") {
  CHECK(lvm::parse_targets("other: garbage\n", kGroup).empty());
  CHECK_THROWS_WITH(
      lvm::parse_targets("cb0123456789ab--lvm-volume: x y z\n", kGroup),
      Catch::Contains("not a number"));
}
