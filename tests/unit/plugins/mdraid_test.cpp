// SPDX-License-Identifier: Apache-2.0
#include "mdraid/mdraid.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "fixtures.hpp"
#include "mdraid/array.hpp"
#include "mdraid/level.hpp"
#include "mdraid/resync.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

void prepare(FakeHost& fake, const std::string& level, int devices = 4) {
  fake.describe<mdraid::Mdraid>();
  fake.set("level", level);
  fake.object_name = "cb0123456789ab-mdraid";
  for (int i = 0; i < devices; ++i) {
    fake.add_device("/dev/loop" + std::to_string(i), kGiB);
  }
}

std::vector<std::string> problems_of(FakeHost& fake) {
  mdraid::Mdraid(fake.host()).check();
  return fake.problems;
}

bool planned(FakeHost& fake, const std::string& word) {
  fake.planned.clear();
  mdraid::Mdraid(fake.host()).plan();
  const std::vector<std::string>& argv = fake.planned.at(0);
  return std::find(argv.begin(), argv.end(), word) != argv.end();
}

// The array of the captured outputs: near=2 over vdc to vdf.
mdraid::ArrayFacts captured_facts() {
  mdraid::ArrayFacts facts =
      mdraid::read_array(COWBENCH_FIXTURES "/mdadm/linux-6.12-raid10");
  return facts;
}

mdraid::Names captured_names() {
  mdraid::Names names = mdraid::names_of("cb0123456789ab-mdraid");
  names.uuid = "11223344:55667788:99aabbcc:ddeeff00";
  return names;
}

void require_captured(const mdraid::ArrayFacts& facts,
                      const mdraid::MakeOptions& options) {
  mdraid::require_as_asked(facts, fixture("mdadm/mdadm-4.4-detail-raid10.txt"),
                           options, captured_names(),
                           {"vdc", "vdd", "vde", "vdf"});
}

}  // namespace

TEST_CASE("mdraid derives all names from the host's") {
  const mdraid::Names names = mdraid::names_of("cb0123456789ab-mdraid");
  CHECK(names.array == "cb0123456789ab-mdraid");
  CHECK(names.kernel == "md_cb0123456789ab-mdraid");
  CHECK(names.device == "/dev/md_cb0123456789ab-mdraid");
  CHECK(names.uuid.size() == 35);
  CHECK(names.uuid == mdraid::names_of("cb0123456789ab-mdraid").uuid);
  CHECK(names.uuid != mdraid::names_of("cb0123456789ac-mdraid").uuid);
}

TEST_CASE("mdraid shortens a name in the host's hash, not in the layer's") {
  const mdraid::Names one =
      mdraid::names_of("cb0123456789ab-mirror-of-disks-a");
  const mdraid::Names two =
      mdraid::names_of("cb0123456789ab-mirror-of-disks-b");
  CHECK(one.array.size() == 28);
  CHECK(one.array != two.array);
  CHECK(one.kernel.size() <= 31);
}

TEST_CASE("mdraid writes a UUID as the kernel does") {
  CHECK(mdraid::uuid_of_kernel("11223344:55667788:99aabbcc:ddeeff00") ==
        "11223344-5566-7788-99aa-bbccddeeff00");
}

TEST_CASE("mdraid gives mdadm every parameter that it would choose itself") {
  FakeHost fake;
  prepare(fake, "raid10");
  fake.set("create_arguments", std::vector<std::string>{"--data-offset=8M"});
  mdraid::Mdraid(fake.host()).plan();
  const mdraid::Names names = mdraid::names_of(fake.object_name);
  CHECK(fake.planned.at(0) ==
        std::vector<std::string>{"mdadm",
                                 "--create",
                                 "/dev/md/cb0123456789ab-mdraid",
                                 "--config=/fake/memory/mdadm.conf",
                                 "--homehost=any",
                                 "--name=cb0123456789ab-mdraid",
                                 "--uuid=" + names.uuid,
                                 "--metadata=1.2",
                                 "--level=raid10",
                                 "--layout=n2",
                                 "--chunk=512K",
                                 "--bitmap=internal",
                                 "--bitmap-chunk=65536K",
                                 "--consistency-policy=bitmap",
                                 "--raid-devices=4",
                                 "--assume-clean",
                                 "--run",
                                 "--data-offset=8M",
                                 "/dev/loop0",
                                 "/dev/loop1",
                                 "/dev/loop2",
                                 "/dev/loop3"});
  CHECK(fake.outputs.at(0).path == "/dev/md_cb0123456789ab-mdraid");
  CHECK(fake.outputs.at(0).size_bytes == 2 * kGiB);
}

TEST_CASE("mdraid leaves out what a level does not have") {
  FakeHost stripe;
  prepare(stripe, "raid0");
  CHECK_FALSE(planned(stripe, "--bitmap=none"));
  CHECK_FALSE(planned(stripe, "--consistency-policy=none"));
  FakeHost mirror;
  prepare(mirror, "raid1", 2);
  CHECK_FALSE(planned(mirror, "--chunk=512K"));
  CHECK(planned(mirror, "--bitmap=internal"));
}

TEST_CASE("mdraid assumes clean only members that read as zeros") {
  FakeHost fake;
  prepare(fake, "raid6");
  CHECK(planned(fake, "--assume-clean"));
  const_cast<cowbench_device*>(fake.host().devices().at(2))->known_blank = 0;
  CHECK_FALSE(planned(fake, "--assume-clean"));
}

TEST_CASE("mdraid resyncs or zeroes members when told to") {
  FakeHost fake;
  prepare(fake, "raid5");
  fake.set("initial_sync", "resync");
  CHECK_FALSE(planned(fake, "--assume-clean"));
  fake.set("initial_sync", "write-zeroes");
  CHECK(planned(fake, "--write-zeroes"));
}

TEST_CASE("mdraid names every member when it starts the array again") {
  const mdraid::Names names = mdraid::names_of("cb-x");
  CHECK(mdraid::assemble_command(names, "/m/mdadm.conf",
                                 {"/dev/loop0", "/dev/loop1"}) ==
        std::vector<std::string>{"mdadm", "--assemble", "/dev/md/cb-x",
                                 "--config=/m/mdadm.conf", "--homehost=any",
                                 "--uuid=" + names.uuid, "/dev/loop0",
                                 "/dev/loop1"});
}

TEST_CASE("mdraid accepts every level with its defaults") {
  for (const char* level : {"raid0", "raid1", "raid5", "raid6", "raid10"}) {
    FakeHost fake;
    prepare(fake, level);
    CHECK(problems_of(fake).empty());
  }
}

TEST_CASE("mdraid refuses contradictions") {
  const auto one_problem = [](const std::string& level, const char* key,
                              const char* value, const char* words) {
    FakeHost fake;
    prepare(fake, level, 3);
    fake.set(key, std::string(value));
    const std::vector<std::string> found = problems_of(fake);
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], Catch::Contains(words));
  };
  one_problem("raid6", "chunk", "512KiB", "needs at least 4 devices");
  one_problem("raid0", "bitmap", "internal", "no redundancy");
  one_problem("raid1", "layout", "n2", "has none to choose");
  one_problem("raid5", "chunk", "96KiB", "not a power of two");
  one_problem("raid10", "layout", "n4", "more copies");
  one_problem("raid5", "consistency_policy", "resync", "does not go with");
  one_problem("raid10", "consistency_policy", "ppl", "raid5 only");
}

TEST_CASE("mdraid takes a partial parity log in place of a bitmap") {
  FakeHost fake;
  prepare(fake, "raid5");
  fake.set("consistency_policy", "ppl");
  CHECK(problems_of(fake).empty());
  CHECK(planned(fake, "--consistency-policy=ppl"));
  CHECK(planned(fake, "--bitmap=none"));
}

TEST_CASE("mdraid reads what mdadm prints of an array") {
  const std::string detail = fixture("mdadm/mdadm-4.4-detail-raid10.txt");
  CHECK(mdraid::label(detail, "Layout") == "near=2");
  CHECK(mdraid::label(detail, "Consistency Policy") == "bitmap");
  CHECK(mdraid::label(detail, "Intent Bitmap") == "Internal");
  CHECK(mdraid::label(detail, "Chunk Size") == "512K");
  CHECK(mdraid::label(detail, "No Such Thing").empty());
  const std::string parity = fixture("mdadm/mdadm-4.4-detail-raid6.txt");
  CHECK(mdraid::label(parity, "Layout") == "left-symmetric");
  CHECK(mdraid::label(fixture("mdadm/mdadm-4.4-detail-raid5.txt"),
                      "Consistency Policy") == "ppl");
  CHECK(mdraid::label(fixture("mdadm/mdadm-4.4-detail-raid0.txt"),
                      "Consistency Policy") == "none");
  CHECK(mdraid::label(fixture("mdadm/mdadm-4.4-examine-raid10.txt"),
                      "Data Offset") == "4096 sectors");
}

TEST_CASE("mdraid reads what mdadm exports") {
  const std::string text = fixture("mdadm/mdadm-4.4-examine-export-raid10.txt");
  CHECK(mdraid::exported(text, "MD_UUID") ==
        "11223344:55667788:99aabbcc:ddeeff00");
  CHECK(mdraid::exported(text, "MD_DEV").empty());
}

TEST_CASE("mdraid reads the version of mdadm") {
  CHECK(mdraid::parse_version("mdadm - v4.4 - 2024-11-07 - Debian "
                              "4.4-11+deb13u1\n") == "4.4");
  CHECK(mdraid::parse_version("something else").empty());
}

TEST_CASE("mdraid reads what the kernel says of an array") {
  const mdraid::ArrayFacts facts = captured_facts();
  CHECK(facts.level == "raid10");
  CHECK(facts.chunk_bytes == 524288);
  CHECK(facts.raid_devices == 4);
  CHECK(facts.bitmap_location == "+8");
  CHECK(facts.bitmap_chunk_bytes == 67108864);
  CHECK(facts.component_bytes == 1046528 * std::uint64_t{1024});
  REQUIRE(facts.members.size() == 4);
  CHECK(facts.members[0].name == "vdc");
  CHECK_NOTHROW(mdraid::require_healthy(facts));
}

TEST_CASE("mdraid fails for what is not as asked") {
  FakeHost fake;
  prepare(fake, "raid10");
  mdraid::MakeOptions options = mdraid::make_options(fake.host());
  CHECK_NOTHROW(require_captured(captured_facts(), options));
  SECTION("the layout") {
    options.layout = "f2";
    CHECK_THROWS_WITH(require_captured(captured_facts(), options),
                      Catch::Contains("asked for far=2, in effect is near=2"));
  }
  SECTION("the chunk") {
    options.chunk_bytes = 65536;
    CHECK_THROWS_WITH(require_captured(captured_facts(), options),
                      Catch::Contains("chunk"));
  }
  SECTION("the bitmap") {
    mdraid::ArrayFacts facts = captured_facts();
    facts.bitmap_location = "none";
    CHECK_THROWS_WITH(require_captured(facts, options),
                      Catch::Contains("asked for internal"));
  }
  SECTION("a member") {
    mdraid::ArrayFacts facts = captured_facts();
    facts.members[1].name = "sdz";
    CHECK_THROWS_WITH(require_captured(facts, options), Catch::Contains("sdz"));
  }
}

TEST_CASE("mdraid notices an array that is not whole") {
  mdraid::ArrayFacts facts = captured_facts();
  SECTION("degraded") { facts.degraded = "1"; }
  SECTION("a faulty member") { facts.members[2].state = "faulty"; }
  SECTION("inactive") { facts.array_state = "inactive"; }
  CHECK_THROWS(mdraid::require_healthy(facts));
}

TEST_CASE("mdraid waits for an array that says idle before it has begun") {
  mdraid::ArrayFacts facts = captured_facts();
  CHECK(mdraid::in_sync(facts));
  SECTION("it is still to be rebuilt") { facts.degraded = "1"; }
  SECTION("it is being rebuilt") { facts.sync_action = "recover"; }
  SECTION("it is still to be resynced") { facts.resync_start = "0"; }
  CHECK_FALSE(mdraid::in_sync(facts));
}

TEST_CASE("mdraid takes a level without redundancy for in sync") {
  // Such have none of these files.
  CHECK(mdraid::in_sync(mdraid::ArrayFacts{}));
}

TEST_CASE("mdraid does not wait for an array that has lost a member") {
  mdraid::ArrayFacts facts = captured_facts();
  facts.degraded = "1";
  facts.members[1].state = "faulty";
  CHECK_THROWS_WITH(mdraid::in_sync(facts), Catch::Contains("vdd"));
}

TEST_CASE("mdraid has nothing to wait for in an array that is in sync") {
  FakeHost fake;
  prepare(fake, "raid10");
  CHECK(mdraid::await_sync(fake.host(),
                           COWBENCH_FIXTURES "/mdadm/linux-6.12-raid10") == 0);
}

TEST_CASE("mdraid tells how far a resync is") {
  CHECK(mdraid::sync_fraction("130824 / 2093056").value() ==
        Approx(0.0625).epsilon(0.01));
  CHECK_FALSE(mdraid::sync_fraction("none"));
  CHECK_FALSE(mdraid::sync_fraction("delayed"));
}

TEST_CASE("mdraid is in the ledger by name and by UUID before it is made") {
  FakeHost fake;
  prepare(fake, "raid10");
  fake.memory_directory = "/nonexistent";
  fake.on_run = [&](const Command& command) {
    if (command.argv.at(1) == "--create") CHECK(fake.ledger.size() == 2);
    return FakeHost::exits(1, "", "refused");
  };
  mdraid::Mdraid layer(fake.host());
  CHECK_THROWS(layer.assemble());
}
