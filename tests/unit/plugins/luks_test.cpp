// SPDX-License-Identifier: Apache-2.0
#include "luks/luks.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <cstdlib>

#include "fixtures.hpp"
#include "luks/header.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

void prepare(FakeHost& fake, int devices) {
  fake.describe<luks::Luks>();
  fake.object_name = "cb0123456789ab-crypt";
  for (int i = 0; i < devices; ++i) {
    fake.add_device("/dev/loop" + std::to_string(i), std::uint64_t{1} << 30);
  }
}

luks::Header captured_header() {
  return luks::parse_header(
      fixture("cryptsetup/cryptsetup-2.7.5-luksdump.json"));
}

device_mapper::Target captured_table() {
  return device_mapper::parse_targets(
             fixture("dmsetup/dmsetup-1.02.205-table-crypt.txt"))
      .at(0);
}

// As the captured mapping was opened.
luks::MakeOptions captured_options() {
  FakeHost fake;
  prepare(fake, 1);
  luks::MakeOptions options = luks::make_options(fake.host());
  options.allow_discards = true;
  options.no_read_workqueue = true;
  options.no_write_workqueue = true;
  return options;
}

}  // namespace

TEST_CASE("luks reads the header's metadata") {
  const luks::Header header = captured_header();
  CHECK(header.cipher == "aes-xts-plain64");
  CHECK(header.sector_bytes == 4096);
  CHECK(header.data_offset_bytes == 16 * 1048576);
  CHECK(header.key_slots == 1);
  CHECK(header.key_bits == 512);
  CHECK(header.pbkdf == "pbkdf2");
  CHECK(header.hash == "sha256");
  CHECK(header.iterations == 1000);
}

TEST_CASE("luks names what the metadata lack") {
  CHECK_THROWS_WITH(luks::parse_header("{}"),
                    Catch::Contains("/segments/0/encryption"));
  CHECK_THROWS_WITH(luks::parse_header("Device is not LUKS"),
                    Catch::Contains("no JSON"));
}

TEST_CASE("luks compares the header with what was asked for") {
  luks::MakeOptions options = captured_options();
  CHECK_NOTHROW(luks::require_as_asked(captured_header(), options));
  SECTION("sector size") { options.sector_bytes = 512; }
  SECTION("key size") { options.key_bits = 256; }
  SECTION("iterations") { options.iterations = 2000; }
  SECTION("cipher") { options.cipher = "serpent-xts-plain64"; }
  CHECK_THROWS_WITH(luks::require_as_asked(captured_header(), options),
                    Catch::Contains("asked for"));
}

TEST_CASE("luks compares the mapping with what was asked for") {
  luks::MakeOptions options = captured_options();
  CHECK_NOTHROW(luks::require_as_asked(captured_table(), options));
  SECTION("discards") { options.allow_discards = false; }
  SECTION("reads") { options.no_read_workqueue = false; }
  SECTION("writes") { options.no_write_workqueue = false; }
  SECTION("sectors") { options.sector_bytes = 512; }
  CHECK_THROWS_WITH(luks::require_as_asked(captured_table(), options),
                    Catch::Contains("asked for"));
}

TEST_CASE("luks makes a mapping over each device") {
  FakeHost fake;
  prepare(fake, 2);
  luks::Luks(fake.host()).plan();
  REQUIRE(fake.planned.size() == 4);
  CHECK(fake.planned[2] == std::vector<std::string>{"cryptsetup",
                                                    "luksFormat",
                                                    "--batch-mode",
                                                    "--type",
                                                    "luks2",
                                                    "--cipher",
                                                    "aes-xts-plain64",
                                                    "--key-size",
                                                    "512",
                                                    "--sector-size",
                                                    "4096",
                                                    "--hash",
                                                    "sha256",
                                                    "--pbkdf",
                                                    "pbkdf2",
                                                    "--pbkdf-force-iterations",
                                                    "1000",
                                                    "--key-file",
                                                    "/fake/memory/key",
                                                    "--keyfile-size",
                                                    "64",
                                                    "/dev/loop1"});
  REQUIRE(fake.outputs.size() == 2);
  CHECK(fake.outputs[1].path == "/dev/mapper/cb0123456789ab-crypt-1");
  CHECK(fake.outputs[1].source_index == 1);
}

TEST_CASE("luks needs no number for one device") {
  FakeHost fake;
  prepare(fake, 1);
  luks::Luks(fake.host()).plan();
  CHECK(fake.outputs.at(0).path == "/dev/mapper/cb0123456789ab-crypt");
}

TEST_CASE("luks passes on what the options say of the mapping") {
  const std::vector<std::string> argv =
      luks::open_command(captured_options(), "/m/key", "/dev/x", "name");
  CHECK(argv == std::vector<std::string>{
                    "cryptsetup", "open", "--type", "luks2", "--key-file",
                    "/m/key", "--keyfile-size", "64", "--allow-discards",
                    "--perf-no_read_workqueue", "--perf-no_write_workqueue",
                    "/dev/x", "name"});
}

TEST_CASE("luks keeps the key in a private file and nowhere else") {
  char folder[] = "/tmp/cowbench-luks-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  FakeHost fake;
  prepare(fake, 1);
  fake.memory_directory = folder;
  const std::string key_file = std::string(folder) + "/key";
  std::string key;
  fake.on_run = [&](const Command&) {
    CHECK(fake.ledger.size() == 1);
    struct stat facts {};
    CHECK(stat(key_file.c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0600);
    CHECK(facts.st_size == 64);
    return FakeHost::exits(1, "", "refused");
  };
  luks::Luks layer(fake.host());
  CHECK_THROWS_WITH(layer.assemble(), Catch::Contains("refused"));
  for (const auto& [name, value] : fake.state) CHECK(value.size() < 32);
  layer.disassemble();
  CHECK(access(key_file.c_str(), F_OK) != 0);
  CHECK(fake.open_ledger().empty());
  rmdir(folder);
}

TEST_CASE("luks leaves a mapping alone that it did not announce") {
  FakeHost fake;
  prepare(fake, 2);
  luks::Luks(fake.host()).disassemble();
  CHECK(fake.commands.empty());
}

TEST_CASE("luks reads the version of cryptsetup") {
  CHECK(luks::parse_version(
            fixture("cryptsetup/cryptsetup-2.7.5-version.txt")) == "2.7.5");
  CHECK(luks::parse_version("something else").empty());
}
