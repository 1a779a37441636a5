// SPDX-License-Identifier: Apache-2.0
#include "integrity/integrity.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "fixtures.hpp"
#include "integrity/initialise.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

void prepare(FakeHost& fake) {
  fake.describe<integrity::Integrity>();
  fake.object_name = "cb0123456789ab-integrity";
  fake.add_device("/dev/loop0", std::uint64_t{1} << 30);
}

integrity::MakeOptions defaults() {
  FakeHost fake;
  prepare(fake);
  return integrity::make_options(fake.host());
}

device_mapper::Target target(const std::string& name) {
  return device_mapper::parse_targets(
             fixture("dmsetup/dmsetup-1.02.205-" + name + ".txt"))
      .at(0);
}

}  // namespace

TEST_CASE("integrity reads the superblock") {
  const integrity::Superblock found = integrity::parse_superblock(
      fixture("cryptsetup/integritysetup-2.7.5-dump.txt"));
  CHECK(found.tag_bytes == 4);
  CHECK(found.sector_bytes == 4096);
  CHECK(found.data_sectors > 0);
  CHECK_NOTHROW(integrity::require_as_asked(found, defaults()));
}

TEST_CASE("integrity names what the superblock's dump lacks") {
  CHECK_THROWS_WITH(integrity::parse_superblock("Info for integrity device\n"),
                    Catch::Contains("integrity_tag_size"));
}

TEST_CASE("integrity compares the mapping with what was asked for") {
  integrity::MakeOptions options = defaults();
  const device_mapper::Target table = target("table-integrity");
  CHECK_NOTHROW(integrity::require_as_asked(table, options));
  SECTION("mode") { options.mode = "bitmap"; }
  SECTION("algorithm") { options.algorithm = "sha256"; }
  SECTION("tag size") { options.tag_bytes = 32; }
  SECTION("sector size") { options.sector_bytes = 512; }
  CHECK_THROWS_WITH(integrity::require_as_asked(table, options),
                    Catch::Contains("asked for"));
}

TEST_CASE("integrity writes the superblock alone, then wipes by its own name") {
  FakeHost fake;
  prepare(fake);
  integrity::Integrity(fake.host()).plan();
  CHECK(fake.planned.at(0) ==
        std::vector<std::string>{"integritysetup", "format", "--batch-mode",
                                 "--no-wipe", "--integrity", "crc32c",
                                 "--tag-size", "4", "--sector-size", "4096",
                                 "/dev/loop0"});
  CHECK(fake.planned.at(1) ==
        std::vector<std::string>{"integritysetup", "open", "--integrity",
                                 "crc32c", "--integrity-no-journal",
                                 "/dev/loop0", "cb0123456789ab-integrity"});
  CHECK(fake.outputs.at(0).path == "/dev/mapper/cb0123456789ab-integrity");
}

TEST_CASE("integrity opens by the mode that was asked for") {
  integrity::MakeOptions options = defaults();
  const auto has = [&options](const char* flag) {
    const auto argv = integrity::open_command(options, "/dev/x", "name");
    return std::count(argv.begin(), argv.end(), flag) == 1;
  };
  CHECK_FALSE(has("--integrity-no-journal"));
  options.mode = "direct";
  CHECK(has("--integrity-no-journal"));
  options.mode = "bitmap";
  CHECK(has("--integrity-bitmap-mode"));
  options.wipe = false;
  const auto first = integrity::first_open_command(options, "/dev/x", "name");
  CHECK(std::count(first.begin(), first.end(), "--integrity-recalculate") == 1);
}

TEST_CASE("integrity tells how far a recalculation is") {
  CHECK(integrity::recalculated_fraction(target("status-integrity")) ==
        Approx(131072.0 / 12472712));
  const auto fraction = [](const char* line) {
    return integrity::recalculated_fraction(
        device_mapper::parse_targets(line).at(0));
  };
  CHECK(fraction("0 12472712 integrity 0 12472712 12472712") == 1.0);
  CHECK(fraction("0 12472712 integrity 0 12472712 -") == 1.0);
}

TEST_CASE("integrity reads the version of integritysetup") {
  CHECK(integrity::parse_version(
            fixture("cryptsetup/integritysetup-2.7.5-version.txt")) == "2.7.5");
}
