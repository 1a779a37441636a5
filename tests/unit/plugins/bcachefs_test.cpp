// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/bcachefs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "bcachefs/directories.hpp"
#include "bcachefs/key.hpp"
#include "bcachefs/superblock_copies.hpp"
#include "bcachefs/sysfs.hpp"
#include "bcachefs/usage.hpp"
#include "bcachefs/words.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

std::string captured(const std::string& what) {
  return fixture("bcachefs/bcachefs-1.12.0-" + what + ".txt");
}

// A folder that is gone at the end of the test.
struct Folder {
  Folder() {
    char name[] = "/tmp/bcachefs-test.XXXXXX";
    if (mkdtemp(name) == nullptr) throw std::runtime_error("mkdtemp");
    path = name;
  }
  ~Folder() { std::system(("rm -rf " + path).c_str()); }
  std::string path;
};

void describe_mirror(FakeHost& fake) {
  fake.describe<bcachefs::Bcachefs>();
  for (const char* device : {"/dev/x1", "/dev/x2"}) {
    fake.add_device(device, 1024 * kMib);
  }
  fake.set("replicas", "2");
}

void describe_tiers(FakeHost& fake) {
  fake.describe<bcachefs::Bcachefs>();
  fake.add_device("/dev/x1", 256 * kMib, "fast");
  fake.add_device("/dev/x2", 1024 * kMib, "slow");
  fake.add_device("/dev/x3", 1024 * kMib, "slow");
}

// What the kernel has below /sys/fs/bcachefs for the captured options.
void write_sysfs(const std::string& root, const std::string& uuid) {
  const std::string folder = root + "/" + uuid;
  REQUIRE(std::system(("mkdir -p " + folder + "/options").c_str()) == 0);
  std::istringstream lines(
      fixture("bcachefs/linux-6.12.117-options-tiered.txt"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    std::ofstream(folder + "/options/" + line.substr(0, equals))
        << line.substr(equals + 1) << '\n';
  }
  for (const char* device : {"vdd", "vdc"}) {
    const std::string dev = folder + "/dev-" + device;
    REQUIRE(mkdir(dev.c_str(), 0755) == 0);
    REQUIRE(symlink((std::string("../../../../devices/virtio3/block/") + device)
                        .c_str(),
                    (dev + "/block").c_str()) == 0);
  }
}

// The table of superblocks and its copies, as bcachefs format writes them to a
// device of `mib` MiB.
void write_superblocks(const std::string& path, std::uint64_t mib) {
  static const char kMagic[] =
      "\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef";
  const std::uint64_t sectors[] = {8, 2056, mib * 2048 - 2048};
  std::ofstream file(path, std::ios::binary);
  file.seekp(7 * 512);
  file.write(kMagic, 16);
  const char counts[] = {0, 11, 3, 0, 0, 0, 0, 0};
  file.write(counts, sizeof counts);
  for (const std::uint64_t sector : sectors) {
    file.write(reinterpret_cast<const char*>(&sector), sizeof sector);
  }
  for (const std::uint64_t sector : sectors) {
    file.seekp(static_cast<std::streamoff>(sector * 512 + 24));
    file.write(kMagic, 16);
  }
  file.seekp(static_cast<std::streamoff>(mib * kMib - 1));
  file.put('\0');
}

}  // namespace

TEST_CASE("bcachefs reads the tool's words") {
  CHECK(bcachefs::selected("none [crc32c] crc64 xxhash ") == "crc32c");
  CHECK(bcachefs::selected(" zstd:3\n") == "zstd:3");
  CHECK(bcachefs::bytes_of("512 B") == 512);
  CHECK(bcachefs::bytes_of("64.0 KiB") == 65536);
  CHECK(bcachefs::bytes_of("4096") == 4096);
  CHECK(bcachefs::bytes_of("1.50 GiB") == 1536 * kMib);
  CHECK_FALSE(bcachefs::bytes_of("zstd"));
  CHECK_FALSE(bcachefs::bytes_of("3 apples"));
  CHECK(bcachefs::parse_version(captured("version")) == "1.12.0");
  CHECK(bcachefs::parse_version("bcachefs").empty());
}

TEST_CASE("bcachefs reads a superblock of tiers") {
  const auto found = bcachefs::parse_superblock(captured("show-super-tiered"));
  CHECK(found.uuid == "0b5d6a1e-2f44-4b7e-9c3a-1d2e3f405162");
  CHECK(found.version == "1.13: inode_has_child_snapshots");
  CHECK_FALSE(found.encrypted);
  CHECK(found.options.at("data_checksum") == "xxhash");
  CHECK(found.options.at("background_compression") == "zstd:3");
  CHECK(found.options.at("foreground_target") == "fast");
  REQUIRE(found.members.size() == 4);
  CHECK(found.members[0].label == "fast0");
  CHECK(found.members[3].label == "slow2");
  CHECK(found.members[2].durability == 1);
  CHECK(found.members[3].durability == 2);
  CHECK(found.members[3].bucket_bytes == 524288);
  CHECK(found.members[0].discard);
}

TEST_CASE("bcachefs tells an encrypted superblock from a plain one") {
  CHECK(bcachefs::parse_superblock(captured("show-super-encrypted")).encrypted);
  const auto plain =
      bcachefs::parse_superblock(captured("show-super-replicas2"));
  CHECK_FALSE(plain.encrypted);
  CHECK(plain.members.at(0).label.empty());
  CHECK_FALSE(plain.members.at(0).discard);
}

TEST_CASE("bcachefs names what a superblock lacks") {
  CHECK_THROWS_WITH(bcachefs::parse_superblock("Unknown command\n"),
                    Catch::Contains("External UUID"));
  const std::string whole = captured("show-super-replicas2");
  CHECK_THROWS_WITH(
      bcachefs::parse_superblock(whole.substr(0, whole.find("members_v2 ("))),
      Catch::Contains("members_v2"));
}

TEST_CASE("bcachefs fails when an option is not in effect") {
  const auto found =
      bcachefs::parse_superblock(captured("show-super-tiered")).options;
  CHECK_NOTHROW(bcachefs::require_options(
      {{"block_size", "4096"}, {"compression", "lz4"}}, found, "here"));
  CHECK_THROWS_WITH(
      bcachefs::require_options({{"erasure_code", "1"}}, found, "here"),
      "erasure_code: asked for 1, in effect is 0 (here)");
  CHECK_THROWS_WITH(
      bcachefs::require_options({{"speed", "fast"}}, found, "here"),
      "speed: asked for fast, in effect is (absent) (here)");
  CHECK_THROWS_WITH(
      bcachefs::require_options({{"block_size", "512"}}, found, "here"),
      Catch::Contains("in effect is 4.00 KiB"));
}

TEST_CASE("bcachefs knows the id that statfs gives") {
  // As seen in a guest: "ID: 4444555566667777", high word last.
  CHECK(bcachefs::filesystem_id("11111111-2222-3333-4444-555555555555") ==
        0x6666777744445555);
}

TEST_CASE("bcachefs reads what the kernel has up") {
  const Folder root;
  const std::string uuid = "0b5d6a1e-2f44-4b7e-9c3a-1d2e3f405162";
  CHECK_FALSE(bcachefs::is_up(uuid, root.path));
  CHECK_THROWS_WITH(bcachefs::read_options(uuid, root.path),
                    Catch::Contains("has no bcachefs " + uuid));
  CHECK(bcachefs::wait_until_gone(uuid, 0, root.path));
  write_sysfs(root.path, uuid);
  CHECK(bcachefs::is_up(uuid, root.path));
  CHECK_FALSE(bcachefs::is_up("", root.path));
  CHECK_FALSE(bcachefs::wait_until_gone(uuid, 0, root.path));
  CHECK(bcachefs::read_options(uuid, root.path).at("metadata_checksum") ==
        "crc64");
  CHECK(bcachefs::read_devices(uuid, root.path) ==
        std::vector<std::string>{"vdc", "vdd"});
}

TEST_CASE("bcachefs tells a foreign module") {
  const Folder root;
  REQUIRE(mkdir((root.path + "/parameters").c_str(), 0755) == 0);
  std::ofstream(root.path + "/parameters/version") << "1037\n";
  std::ofstream(root.path + "/taint") << "OE\n";
  CHECK(bcachefs::module_version(root.path) ==
        "on-disk format 1.13, out of tree");
  std::ofstream(root.path + "/taint") << "E\n";
  CHECK(bcachefs::module_version(root.path) ==
        "on-disk format 1.13, the kernel's own");
}

TEST_CASE("bcachefs gives every truth about space apart") {
  const auto usage = bcachefs::parse_usage(captured("usage-replicas2"));
  REQUIRE(usage.devices.size() == 4);
  CHECK(usage.devices[0].name == "vdc");
  CHECK(usage.devices[0].capacity_bytes == 1024 * kMib);
  CHECK(bcachefs::user_bytes(usage, false) == 200 * kMib);
  // 100 MiB of data and 2.5 MiB of btree nodes, twice.
  CHECK(bcachefs::content_bytes(usage) == 100 * kMib + 2621440);
  std::uint64_t allocated = 0;
  for (const auto& device : usage.devices) {
    allocated += device.capacity_bytes - device.free_bytes;
  }
  CHECK(bcachefs::allocated_bytes(usage) == allocated);
  CHECK(bcachefs::stripes_of_user_data(usage).empty());
}

TEST_CASE("bcachefs sees whether erasure coding is in effect") {
  const auto coded = bcachefs::parse_usage(captured("usage-ec"));
  CHECK(bcachefs::stripes_of_user_data(coded) == "2/4");
  CHECK(bcachefs::user_bytes(coded, true) == 72 * kMib);
  CHECK(bcachefs::content_bytes(coded) == 72 * kMib + 2359296);
  const auto ignored = bcachefs::parse_usage(captured("usage-ec-ignored"));
  CHECK(bcachefs::stripes_of_user_data(ignored).empty());
  CHECK(bcachefs::user_bytes(ignored, false) == 48 * kMib);
}

TEST_CASE("bcachefs counts a cached copy as no content") {
  const auto usage = bcachefs::parse_usage(captured("usage-tiered"));
  CHECK(usage.devices.at(0).name == "vdc");
  CHECK(bcachefs::user_bytes(usage, false) ==
        1572864 + 25427968 + 11534336 + 1835008);
  CHECK_THROWS_WITH(bcachefs::parse_usage("error opening /mnt"),
                    Catch::Contains("names no device"));
}

TEST_CASE("bcachefs knows the raw bytes behind one of data") {
  bcachefs::FormatOptions options;
  options.data_replicas = 3;
  CHECK(bcachefs::raw_factor(options, "") == 3);
  CHECK(bcachefs::raw_factor(options, "2/4") == 2);
  CHECK_THROWS_AS(bcachefs::raw_factor(options, "0/4"), Error);
}

TEST_CASE("bcachefs announces one format over all devices") {
  FakeHost fake;
  describe_mirror(fake);
  bcachefs::Bcachefs layer(fake.host());
  layer.check();
  CHECK(fake.problems.empty());
  layer.plan();
  CHECK(fake.planned ==
        std::vector<std::vector<std::string>>{
            {"bcachefs", "format", "--force", "--quiet", "--uuid=UUID",
             "--data_replicas=2", "--metadata_replicas=2",
             "--data_checksum=crc32c", "--metadata_checksum=crc32c",
             "--durability=1", "/dev/x1", "--durability=1", "/dev/x2"}});
}

TEST_CASE("bcachefs takes copies of its own for data and metadata") {
  FakeHost fake;
  describe_mirror(fake);
  fake.set("data_replicas", "1");
  const auto options = bcachefs::format_options(fake.host(), "U");
  CHECK(options.data_replicas == 1);
  CHECK(options.metadata_replicas == 2);
}

TEST_CASE("bcachefs labels members of several groups") {
  FakeHost fake;
  describe_tiers(fake);
  fake.set("foreground", "fast");
  fake.set("background", "slow");
  fake.set("durability", std::vector<std::string>{"fast=0"});
  const auto options = bcachefs::format_options(fake.host(), "U");
  REQUIRE(options.members.size() == 3);
  CHECK(options.members[0].label == "fast.fast0");
  CHECK(options.members[0].durability == 0);
  CHECK(options.members[2].label == "slow.slow1");
  CHECK(options.members[2].durability == 1);
  CHECK(bcachefs::mount_source(options) == "/dev/x1:/dev/x2:/dev/x3");
  const auto expected = bcachefs::expected_options(options);
  CHECK(expected.at("foreground_target") == "fast");
  CHECK(expected.at("background_target") == "slow");
  CHECK(expected.count("promote_target") == 0);
}

TEST_CASE("bcachefs gives all reasons at once") {
  FakeHost fake;
  describe_tiers(fake);
  fake.set("data_replicas", "4");
  fake.set("erasure_code", "true");
  fake.set("promote", "middle");
  fake.set("durability", std::vector<std::string>{"slow", "none=1"});
  fake.set("directories", std::vector<std::string>{"a/b:compression=lz4"});
  bcachefs::Bcachefs(fake.host()).check();
  REQUIRE(fake.problems.size() == 6);
  CHECK(fake.problems[0] ==
        "data_replicas: 4 copies need as many devices, there are 3");
  CHECK_THAT(fake.problems[1], Catch::StartsWith("erasure_code: needs"));
  CHECK(fake.problems[2] ==
        "promote: the layer does not stand on a group middle");
  CHECK_THAT(fake.problems[3], Catch::Contains("\"slow\" is not of the form"));
  CHECK(fake.problems[4] ==
        "durability: the layer does not stand on a group none");
  CHECK_THAT(fake.problems[5], Catch::Contains("cannot be a name"));
}

TEST_CASE("bcachefs reads what a directory shall have") {
  const auto one =
      bcachefs::parse_directory("kept:data_replicas=2,compression=zstd:3");
  CHECK(one.name == "kept");
  CHECK(one.options == std::vector<std::pair<std::string, std::string>>{
                           {"data_replicas", "2"}, {"compression", "zstd:3"}});
  for (const char* bad : {"kept", "kept:", ":a=1", "..:a=1", "kept:a",
                          "kept:a=", "kept:=1", "a/b:c=1"}) {
    CHECK_THROWS_AS(bcachefs::parse_directory(bad), Error);
  }
}

TEST_CASE("bcachefs finds the subcommand for options of files") {
  CHECK(bcachefs::set_option_command(captured("help")) == "set-file-option");
  CHECK(bcachefs::set_option_command("  setattr   Set attributes\n") ==
        "setattr");
  CHECK_THROWS_WITH(bcachefs::set_option_command("  format\n"),
                    Catch::Contains("neither"));
}

TEST_CASE("bcachefs wipes every superblock of a device") {
  const Folder folder;
  const std::string path = folder.path + "/member";
  write_superblocks(path, 64);
  CHECK(bcachefs::find_superblocks(path) ==
        std::vector<std::uint64_t>{7 * 512, 8 * 512, 2056 * 512, 63 * kMib});
  CHECK(bcachefs::wipe_superblocks(path) == 4);
  CHECK(bcachefs::find_superblocks(path).empty());
  CHECK(bcachefs::wipe_superblocks(path) == 0);
}

TEST_CASE("bcachefs finds an old superblock at the end, without a table") {
  const Folder folder;
  const std::string path = folder.path + "/member";
  write_superblocks(path, 64);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string zeroes(2 * kMib, '\0');
  file.write(zeroes.data(), static_cast<std::streamsize>(zeroes.size()));
  file.close();
  CHECK(bcachefs::find_superblocks(path) ==
        std::vector<std::uint64_t>{63 * kMib});
  CHECK(bcachefs::wipe_superblocks(path) == 1);
}

TEST_CASE("bcachefs keeps the passphrase for its user alone") {
  const Folder folder;
  CHECK_THROWS_WITH(bcachefs::read_passphrase(folder.path),
                    Catch::Contains("lives in memory only"));
  const std::string first = bcachefs::make_passphrase(folder.path);
  CHECK(first.size() == 64);
  CHECK(first.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(bcachefs::read_passphrase(folder.path) == first);
  struct stat facts {};
  REQUIRE(stat((folder.path + "/passphrase").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 07777) == 0600);
  CHECK(bcachefs::make_passphrase(folder.path) != first);
  bcachefs::forget_passphrase(folder.path);
  CHECK_THROWS_AS(bcachefs::read_passphrase(folder.path), Error);
}

TEST_CASE("bcachefs asks more of a cold pass over more inodes") {
  FakeHost fake;
  describe_mirror(fake);
  bcachefs::Bcachefs layer(fake.host());
  // 5,000 entries fit into nodes that mounting reads.
  CHECK(layer.cold_metadata_bytes(5000, false) == 1);
  CHECK(layer.cold_metadata_bytes(100000, false) == 100000 * 24 - kMib);
  CHECK(layer.cold_metadata_bytes(100000, true) == 100000 * 72 - kMib);
}

TEST_CASE("bcachefs tries again when the tool crashes, not when it refuses") {
  const Folder folder;
  const std::string path = folder.path + "/member";
  write_superblocks(path, 64);
  FakeHost fake;
  fake.describe<bcachefs::Bcachefs>();
  fake.add_device(path, 64 * kMib);
  CommandResult crashed = FakeHost::exits(-1);
  crashed.signal = GENERATE(SIGSEGV, SIGABRT);
  const CommandResult refused = FakeHost::exits(1, "", "too small");
  int formats = 0;
  fake.on_run = [&](const Command& command) {
    if (command.argv.at(1) != "format") return refused;
    return ++formats == 1 ? crashed : FakeHost::exits(0);
  };
  bcachefs::Bcachefs layer(fake.host());
  CHECK_THROWS_WITH(layer.assemble(), Catch::Contains("show-super"));
  CHECK(formats == 2);
  CHECK(fake.effective.at("format_attempts") == "2");
  REQUIRE(fake.lines.size() == 1);
  CHECK(fake.lines[0].text == "bcachefs format was ended by signal " +
                                  std::to_string(crashed.signal));
  CHECK(bcachefs::find_superblocks(path).empty());

  fake.on_run = [&](const Command&) {
    ++formats;
    return refused;
  };
  CHECK_THROWS_WITH(layer.assemble(),
                    Catch::EndsWith("exited with 1: too small"));
  CHECK(formats == 3);
}

TEST_CASE("bcachefs leaves devices alone that it never wrote to") {
  FakeHost fake;
  describe_mirror(fake);
  // /dev/x1 does not exist: wiping would throw.
  CHECK_NOTHROW(bcachefs::Bcachefs(fake.host()).disassemble());
  CHECK(fake.commands.empty());
}
