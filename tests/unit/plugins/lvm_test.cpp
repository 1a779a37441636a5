// SPDX-License-Identifier: Apache-2.0
#include "lvm/lvm.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "lvm/commands.hpp"
#include "lvm/group.hpp"
#include "lvm/mapping.hpp"
#include "lvm/report.hpp"
#include "lvm/settings.hpp"
#include "lvm_fixtures.hpp"

using namespace cowbench;
using namespace cowbench::testing;

namespace {

std::vector<std::string> problems_of(FakeHost& fake) {
  fake.problems.clear();
  lvm::Lvm(fake.host()).check();
  return fake.problems;
}

bool planned(const FakeHost& fake, const std::string& part) {
  return std::any_of(fake.planned.begin(), fake.planned.end(),
                     [&](const std::vector<std::string>& argv) {
                       std::string line;
                       for (const std::string& word : argv) line += word + " ";
                       return line.find(part) != std::string::npos;
                     });
}

}  // namespace

TEST_CASE("lvm sees the devices it is given and no configuration of the host") {
  const lvm::Argv argv = lvm::isolated({"/dev/vdc", "/dev/vdd"}, {"vgs", "x"});
  CHECK(argv.at(0) == "env");
  CHECK(argv.at(1) == "LVM_SYSTEM_DIR=");
  CHECK(argv.at(2) == "vgs");
  CHECK_THAT(argv.at(4), Catch::Contains("use_devicesfile = 0") &&
                             Catch::Contains("monitoring = 0") &&
                             Catch::Contains("archive = 0"));
  CHECK(std::vector<std::string>(argv.begin() + 5, argv.end()) ==
        std::vector<std::string>{"--devices", "/dev/vdc,/dev/vdd", "x"});
}

TEST_CASE(
    "lvm reads a report, hidden volumes by their names without brackets") {
  const auto rows = lvm::parse_report(report("lvs-raid10.json"), "lv");
  const lvm::Row& volume = lvm::row_of(rows, "lv_name", "volume");
  CHECK(volume.text("segtype") == "raid10");
  CHECK(volume.number("data_stripes") == 2);
  CHECK(volume.number("region_size") == 2097152);
  CHECK(volume.text("sync_percent") == "100.00");
  CHECK(lvm::row_of(rows, "lv_name", "volume_rimage_3").text("segtype") ==
        "linear");
  CHECK_THROWS_WITH(volume.text("lv_colour"), Catch::Contains("lv_colour"));
  CHECK_THROWS_WITH(volume.number("segtype"), Catch::Contains("not a number"));
  CHECK_THROWS_WITH(lvm::row_of(rows, "lv_name", "other"),
                    Catch::Contains("other"));
}

TEST_CASE("lvm takes as many stripes as the devices give") {
  FakeHost fake;
  describe(fake, 4);
  const auto stripes = [&fake](const char* type) {
    fake.set("type", type);
    return lvm::read_settings(fake.host()).stripes;
  };
  CHECK(stripes("linear") == 1);
  CHECK(stripes("striped") == 4);
  CHECK(stripes("raid1") == 1);
  CHECK(stripes("raid5") == 3);
  CHECK(stripes("raid6") == 2);
  CHECK(stripes("raid10") == 2);
}

TEST_CASE("lvm says all that is wrong with a configuration") {
  FakeHost fake;
  describe(fake, 4);
  for (const char* fine : {"linear", "striped", "raid0", "raid5", "raid10"}) {
    fake.set("type", fine);
    CHECK(problems_of(fake).empty());
  }
  fake.set("type", "raid6");
  REQUIRE(problems_of(fake).size() == 1);
  CHECK_THAT(fake.problems[0], Catch::Contains("at least 3 stripes"));
  fake.set("type", "raid1");
  REQUIRE(problems_of(fake).size() == 1);
  CHECK_THAT(fake.problems[0], Catch::Contains("takes 2 devices, there are 4"));
  fake.set("mirrors", 3);
  CHECK(problems_of(fake).empty());

  fake.set("type", "striped");
  fake.set("raid_integrity", "true");
  fake.set("pool", "thin");
  fake.set("cache", "writeback");
  fake.set("stripe_size", "100KiB");
  const auto all = problems_of(fake);
  CHECK(all.size() == 6);
}

TEST_CASE("lvm leaves room for its own records and for snapshots") {
  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  fake.set("volume_percent", 50);
  const std::vector<std::uint64_t> devices(4, 255);
  // Half of 255, less one extent of records, on two stripes.
  CHECK(lvm::share_out(lvm::read_settings(fake.host()), devices, {}).volume ==
        2 * 126);
  fake.set("volume_percent", 100);
  fake.set("pool", "thin");
  const auto thin =
      lvm::share_out(lvm::read_settings(fake.host()), devices, {});
  CHECK(thin.metadata == 2);
  CHECK(thin.volume == 2 * (255 - 1 - 3));
  fake.set("pool", "none");
  fake.set("type", "linear");
  CHECK(lvm::share_out(lvm::read_settings(fake.host()), {100, 50}, {7, 8})
            .cache == 15);
  CHECK_THROWS_WITH(lvm::share_out(lvm::read_settings(fake.host()), {0}, {}),
                    Catch::Contains("too small"));
}

TEST_CASE("lvm leaves room for the checksums of every device") {
  const auto rows = lvm::parse_report(report("lvs-raid10-int.json"), "lv");
  constexpr std::uint64_t kExtent = std::uint64_t{4} << 20;
  // What LVM took of each device: image, checksums, records.
  std::uint64_t taken = 0;
  for (const char* part : {"_rimage_0_iorig", "_rimage_0_imeta", "_rmeta_0"}) {
    const std::string name = std::string("volume") + part;
    taken += lvm::row_of(rows, "lv_name", name).number("lv_size") / kExtent;
  }
  CHECK(taken == 129);

  FakeHost fake;
  describe(fake, 4);
  fake.set("type", "raid10");
  fake.set("raid_integrity", "true");
  fake.set("volume_percent", 50);
  const auto volume = [&fake](std::uint64_t device) {
    return lvm::share_out(lvm::read_settings(fake.host()),
                          std::vector<std::uint64_t>(4, device), {})
        .volume;
  };
  // Of devices of which that is the half, the same volume.
  CHECK(volume(2 * taken) * kExtent ==
        lvm::row_of(rows, "lv_name", "volume").number("lv_size"));
  CHECK(volume(2 * taken - 2) == 2 * 124);
  CHECK(volume(2 * taken + 2) == 2 * 126);
  // 100 GiB of 200 GiB: 64 MiB of journal, and 4 MiB for every 500 MiB.
  CHECK(volume(2 * 25600) == 2 * (25600 - 1 - 16 - 204));
  CHECK_THROWS_WITH(volume(4), Catch::Contains("too small"));
}

TEST_CASE("lvm puts the cache on the devices of its group") {
  FakeHost fake;
  fake.describe<lvm::Lvm>();
  fake.add_device("/dev/vdg", kGib, "fast");
  fake.add_device("/dev/vdc", kGib, "slow");
  fake.set("cache", "writeback");
  const lvm::Settings settings = lvm::read_settings(fake.host());
  CHECK(settings.cache_devices == std::vector<std::string>{"/dev/vdg"});
  CHECK(settings.data_devices == std::vector<std::string>{"/dev/vdc"});
  CHECK(problems_of(fake).empty());
  lvm::Lvm(fake.host()).plan();
  // 255 extents, less two for the cache's own metadata.
  CHECK(planned(fake,
                "--extents 253 --name fast --type cache-pool --chunksize "
                "64k --poolmetadatasize 8192k --poolmetadataspare n"));
  CHECK(planned(fake,
                "--type cache --cachemode writeback --cachepolicy smq "
                "--cachepool"));
  fake.set("cache", "writecache");
  lvm::Lvm(fake.host()).plan();
  CHECK(planned(fake, "--extents 255 --name fast --type linear"));
  CHECK(planned(fake,
                "--type writecache --cachesettings block_size=4096 "
                "--cachevol"));
  fake.set("cache_group", "quick");
  REQUIRE(problems_of(fake).size() == 1);
  CHECK_THAT(fake.problems[0], Catch::Contains("quick"));
}

TEST_CASE("lvm plans every command and the device that it will offer") {
  FakeHost fake;
  describe(fake, 4);
  fake.object_name = kGroup;
  fake.set("type", "raid10");
  fake.set("raid_integrity", "true");
  fake.set("volume_percent", 50);
  lvm::Lvm(fake.host()).plan();
  CHECK(fake.planned.size() == 6);
  CHECK(planned(fake, "--setautoactivation n"));
  CHECK(planned(fake,
                "--type raid10 --stripes 2 --stripesize 64k --mirrors 1 "
                "--regionsize 2048k --raidintegrity y "
                "--raidintegritymode journal"));
  REQUIRE(fake.outputs.size() == 1);
  CHECK(fake.outputs[0].path == "/dev/mapper/cb0123456789ab--lvm-volume");
}

namespace {

// What a tool answers on a machine without any volume.
const char* const kNoDevices = R"({"report": [{"pv": []}], "log": []})";

std::string device_report(const std::string& uuid, const std::string& group) {
  return R"({"report": [{"pv": [{"pv_name": "/dev/vdc", "pv_uuid": ")" + uuid +
         R"(", "vg_name": ")" + group +
         R"(", "pv_pe_count": "255", "pe_start": "1048576", )"
         R"("pv_missing": "", "pv_duplicate": ""}]}], "log": []})";
}

}  // namespace

TEST_CASE("lvm refuses devices that are somebody's, before it touches any") {
  FakeHost fake;
  describe(fake, 1);
  fake.on_run = [](const Command& command) {
    const bool devices = command.argv.size() > 2 && command.argv[2] == "pvs";
    return FakeHost::exits(
        0, devices ? device_report("abc", "theirs") : std::string());
  };
  CHECK_THROWS_WITH(
      lvm::Lvm(fake.host()).assemble(),
      Catch::Contains("/dev/vdc already is an LVM physical volume") &&
          Catch::Contains("group \"theirs\""));
  CHECK(fake.ledger.empty());
}

TEST_CASE("lvm refuses a group whose name is in use") {
  FakeHost fake;
  describe(fake, 1);
  fake.object_name = kOther;
  fake.on_run = [](const Command& command) {
    if (command.argv[0] == "dmsetup") {
      return FakeHost::exits(0, mappings("ls-raid10.txt"));
    }
    return FakeHost::exits(0, kNoDevices);
  };
  CHECK_THROWS_WITH(lvm::Lvm(fake.host()).assemble(),
                    Catch::Contains("volume group \"" + std::string(kOther) +
                                    "\" is active on this machine"));
  CHECK(fake.ledger.empty());
}

TEST_CASE("lvm says what kernel and machine lack") {
  FakeHost fake;
  describe(fake, 2);
  fake.set("type", "striped");
  fake.set("pool", "vdo");
  fake.reply("dmsetup targets", FakeHost::exits(0, "linear  v1.4.0\n"));
  fake.reply_not_installed("vdoformat");
  CHECK_THROWS_WITH(lvm::Lvm(fake.host()).assemble(),
                    Catch::Contains("target \"vdo\"") &&
                        Catch::Contains("apt-get install vdo"));
}

TEST_CASE("lvm enters everything in the ledger before it makes it") {
  FakeHost fake;
  describe(fake, 1);
  fake.object_name = kGroup;
  fake.on_run = [&fake](const Command& command) {
    const std::string& tool =
        command.argv[0] == "env" ? command.argv[2] : command.argv[0];
    if (tool == "pvcreate") {
      CHECK(fake.ledger.size() == 1);
      return FakeHost::exits(0);
    }
    if (tool == "vgcreate") {
      CHECK(fake.ledger.size() == 2);
      return FakeHost::exits(5, "", "  WARNING: not backed up\n  no room\n");
    }
    return FakeHost::exits(0, tool == "dmsetup" ? "" : kNoDevices);
  };
  CHECK_THROWS_WITH(lvm::Lvm(fake.host()).assemble(),
                    Catch::Contains("vgcreate") && Catch::Contains("no room") &&
                        !Catch::Contains("backed up"));
  REQUIRE(fake.ledger.size() == 2);
  CHECK(fake.ledger[0].exists.front() == "blkid");
  CHECK(fake.ledger[0].exists.at(4) == "UUID=" + fake.state["pv_uuid.0"]);
  CHECK(fake.ledger[1].undo.at(2) == "vgremove");
  CHECK(fake.state["pv_uuid.0"].size() == 38);

  // Half-made: only the device is there, and it goes away.
  bool removed = false;
  fake.on_run = [&](const Command& command) {
    const std::string& tool =
        command.argv[0] == "env" ? command.argv[2] : command.argv[0];
    CHECK(tool != "vgremove");
    if (tool == "pvremove") removed = true;
    if (tool != "pvs") return FakeHost::exits(0);
    return FakeHost::exits(
        0, removed ? kNoDevices : device_report(fake.state["pv_uuid.0"], ""));
  };
  lvm::Lvm(fake.host()).disassemble();
  CHECK(removed);
  CHECK(fake.open_ledger().empty());
}

TEST_CASE("lvm takes no physical volume away that it did not make") {
  FakeHost fake;
  describe(fake, 1);
  fake.state["pv_uuid.0"] = "mine";
  fake.on_run = [](const Command& command) {
    const bool devices = command.argv[0] == "env" && command.argv[2] == "pvs";
    if (command.argv[0] == "env") CHECK(devices);
    return FakeHost::exits(0, devices ? device_report("theirs", "x") : "");
  };
  CHECK_NOTHROW(lvm::Lvm(fake.host()).disassemble());
}

TEST_CASE("lvm gives a VDO volume the size that the pool can hold") {
  FakeHost fake;
  describe(fake, 2);
  fake.set("type", "striped");
  const auto targets =
      lvm::parse_targets(mappings("status-vdo.txt"), "cbc0a5d78f1d93-lvm");
  const auto pool =
      std::find_if(targets.begin(), targets.end(),
                   [](const lvm::Target& one) { return one.type == "vdo"; });
  REQUIRE(pool != targets.end());
  const lvm::VdoStatus status = lvm::vdo_status(*pool);
  CHECK(status.mode == "normal");
  CHECK(status.index == "online");
  CHECK(status.total_blocks == 1570816);
  const lvm::Settings settings = lvm::read_settings(fake.host());
  // 3.2 of the 6 GiB, less a hundredth.
  CHECK(lvm::vdo_extents(settings, status.total_blocks - status.used_blocks) ==
        817);
  CHECK_THROWS_WITH(lvm::vdo_extents(settings, 100),
                    Catch::Contains("no room for data"));
  CHECK_THROWS_WITH(lvm::vdo_status(targets.back()),
                    Catch::Contains("not the status"));
}
