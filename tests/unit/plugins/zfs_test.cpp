// SPDX-License-Identifier: Apache-2.0
#include "zfs/zfs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <cstdlib>

#include "fixtures.hpp"
#include "zfs/key.hpp"
#include "zfs/labels.hpp"
#include "zfs/zvol.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;
const std::string kRelease = "zfs/zfs-2.3.9-";

// A file in a folder of its own, both gone with it.
class TemporaryFile {
 public:
  TemporaryFile() {
    char folder[] = "/tmp/cowbench-zfs.XXXXXX";
    if (mkdtemp(folder) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = folder;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    unlink(path().c_str());
    rmdir(folder_.c_str());
  }
  std::string path() const { return folder_ + "/file"; }

 private:
  std::string folder_;
};

void add_devices(FakeHost& fake, const std::string& group,
                 const std::vector<std::string>& paths) {
  for (const std::string& path : paths) fake.add_device(path, kGib, group);
}

// A sparse image with the trailer of a label at these places.
void write_image(const std::string& path, std::uint64_t size,
                 const std::vector<std::uint64_t>& labels) {
  std::ofstream file(path, std::ios::binary);
  const unsigned char magic[] = {0x11, 0x7a, 0x0c, 0xb1, 0x7a, 0xda, 0x10, 2};
  for (const std::uint64_t label : labels) {
    file.seekp(static_cast<std::streamoff>(label + 128 * 1024 - 40));
    file.write(reinterpret_cast<const char*>(magic), sizeof magic);
  }
  file.close();
  REQUIRE(truncate(path.c_str(), static_cast<off_t>(size)) == 0);
}

}  // namespace

TEST_CASE("zfs reads its version") {
  const std::string text = fixture(kRelease + "version.txt");
  CHECK(zfs::parse_version(text, "zfs") == "2.3.9-0+deb13u1");
  CHECK(zfs::parse_version(text, "zfs-kmod") == "2.3.9-0+deb13u1");
  CHECK(zfs::parse_version("zfs-kmod-2.3.9\n", "zfs").empty());
}

TEST_CASE("zfs reads the topology of a raidz2 on partitions") {
  const zfs::Status status = zfs::parse_status(
      fixture(kRelease + "zpool-status-raidz2.txt"), "cbtest");
  CHECK(status.state == "ONLINE");
  CHECK(zfs::describe(status.layout) ==
        "raidz2 /dev/vdc1 /dev/vdd1 /dev/vde1 /dev/vdf1");
  CHECK(zfs::describe(zfs::on_devices(
            status.layout, {"/dev/vdc", "/dev/vdd", "/dev/vde", "/dev/vdf"})) ==
        "raidz2 /dev/vdc /dev/vdd /dev/vde /dev/vdf");
}

TEST_CASE("zfs reads mirrors side by side") {
  const zfs::Status status =
      zfs::parse_status(fixture(kRelease + "zpool-status-mirror.txt"), "fxm");
  CHECK(zfs::describe(status.layout) ==
        "mirror /dev/vdc1 /dev/vdd1, mirror /dev/vde1 /dev/vdf1");
}

TEST_CASE("zfs tells the spares of a draid from its devices") {
  const zfs::Status status =
      zfs::parse_status(fixture(kRelease + "zpool-status-draid.txt"), "fxd");
  CHECK(zfs::leaves_of(status.layout) ==
        std::vector<std::string>{"/dev/vdc1", "/dev/vdd1", "/dev/vde1",
                                 "/dev/vdf1"});
  CHECK(zfs::describe(zfs::on_devices(
            status.layout, {"/dev/vdc", "/dev/vdd", "/dev/vde", "/dev/vdf"})) ==
        "draid1:2d:4c:1s /dev/vdc /dev/vdd /dev/vde /dev/vdf");
}

TEST_CASE("zfs reads special, log and cache vdevs") {
  const zfs::Status status =
      zfs::parse_status(fixture(kRelease + "zpool-status-special.txt"), "fxs");
  CHECK(zfs::describe(status.layout) ==
        "raidz1 /dev/vdc1 /dev/vdd1 /dev/vde1, special mirror /dev/vdf1 "
        "/dev/vdg1, log stripe /dev/vdh1, cache stripe /dev/vdi1");
}

TEST_CASE("zfs leaves a leaf of a strange device as it is") {
  const zfs::Layout found = {{"data", "mirror", {"/dev/sda1", "/dev/sdz1"}}};
  CHECK(zfs::describe(zfs::on_devices(found, {"/dev/sda", "/dev/sdb"})) ==
        "mirror /dev/sda /dev/sdz1");
}

TEST_CASE("zfs says what zpool status does not show") {
  CHECK_THROWS_WITH(zfs::parse_status("  pool: p\n state: ONLINE\n", "p"),
                    Catch::Contains("no configuration of pool p"));
}

TEST_CASE("zfs counts parity, and every copy of a mirror") {
  const auto raidz2 =
      zfs::parse_space(fixture(kRelease + "zpool-list-raidz2.txt"));
  REQUIRE(raidz2.size() == 1);
  CHECK(raidz2[0].kind == "raidz2");
  CHECK(raidz2[0].devices == 4);
  CHECK(zfs::allocated_raw_bytes(raidz2) == 45342720);
  CHECK(zfs::allocated_raw_bytes({{"mirror", 3, 100}, {"", 1, 10}}) == 310);
  const auto mirrors =
      zfs::parse_space(fixture(kRelease + "zpool-list-mirror.txt"));
  CHECK(zfs::allocated_raw_bytes(mirrors) == 2 * (65024 + 117760));
  // The distributed spare is no vdev.
  const auto draid =
      zfs::parse_space(fixture(kRelease + "zpool-list-draid.txt"));
  CHECK(zfs::allocated_raw_bytes(draid) == 265728);
  // Neither are log and cache.
  const auto special =
      zfs::parse_space(fixture(kRelease + "zpool-list-special.txt"));
  REQUIRE(special.size() == 2);
  CHECK(special[1].devices == 2);
  CHECK(zfs::allocated_raw_bytes(special) == 2 * 207360);
}

TEST_CASE("zfs reads the properties of an encrypted dataset") {
  const zfs::Properties found =
      zfs::parse_properties(fixture(kRelease + "zfs-get-encrypted.txt"));
  CHECK(zfs::property(found, "encryption") == "aes-256-gcm");
  CHECK(zfs::property(found, "keystatus") == "available");
  CHECK(zfs::number(found, "recordsize") == 131072);
  CHECK_THROWS_WITH(zfs::property(found, "volsize"),
                    Catch::Contains("no property volsize"));
  CHECK_THROWS_WITH(zfs::number(found, "compression"),
                    Catch::Contains("no number"));
}

TEST_CASE("zfs sees vdevs of unlike ashift") {
  CHECK(zfs::parse_ashifts(fixture(kRelease + "zpool-get-ashift.txt")) == "9");
  CHECK(zfs::parse_ashifts("0\n12\n12\n") == "12");
  CHECK(zfs::parse_ashifts("0\n12\n9\n-\n") == "12 9");
}

TEST_CASE("zfs names a first partition as the kernel and udev do") {
  CHECK(zfs::first_partition("/dev/vdc") == "/dev/vdc1");
  CHECK(zfs::first_partition("/dev/loop0") == "/dev/loop0p1");
  CHECK(zfs::first_partition("/dev/disk/by-id/x1") ==
        "/dev/disk/by-id/x1-part1");
}

TEST_CASE("zfs makes pairs side by side") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "data", {"/dev/a", "/dev/b", "/dev/c", "/dev/d"});
  fake.set("topology", "mirror");
  fake.set("width", 2);
  fake.set("recordsize", "8KiB");
  zfs::Zfs layer(fake.host());
  layer.check();
  CHECK(fake.problems.empty());
  layer.plan();
  CHECK(fake.planned.at(0) ==
        std::vector<std::string>{"zpool", "create", "-o", "ashift=12", "-o",
                                 "autotrim=off", "-o", "cachefile=none", "-O",
                                 "mountpoint=none", "-O", "canmount=off",
                                 "fake-object", "mirror", "/dev/a", "/dev/b",
                                 "mirror", "/dev/c", "/dev/d"});
  const std::vector<std::string>& dataset = fake.planned.at(1);
  CHECK(std::count(dataset.begin(), dataset.end(), "recordsize=8192") == 1);
  CHECK(dataset.back() == "fake-object/fs");
}

TEST_CASE("zfs keeps groups apart by what they are for") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "slow", {"/dev/a", "/dev/b", "/dev/c"});
  add_devices(fake, "fast", {"/dev/m", "/dev/n"});
  add_devices(fake, "tiny", {"/dev/l"});
  add_devices(fake, "big", {"/dev/r"});
  fake.set("topology", "raidz1");
  fake.set("special", "fast");
  fake.set("log", "tiny");
  fake.set("cache", "big");
  const zfs::Layout layout = zfs::make_layout(fake.host());
  CHECK(zfs::layout_problems(fake.host()).empty());
  CHECK(zfs::describe(layout) ==
        "raidz1 /dev/a /dev/b /dev/c, special mirror /dev/m /dev/n, "
        "log stripe /dev/l, cache stripe /dev/r");
  CHECK(zfs::create_arguments(layout) ==
        std::vector<std::string>{"raidz1", "/dev/a", "/dev/b", "/dev/c",
                                 "special", "mirror", "/dev/m", "/dev/n", "log",
                                 "/dev/l", "cache", "/dev/r"});
}

TEST_CASE("zfs forces zpool only where it must") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "slow", {"/dev/a", "/dev/b", "/dev/c", "/dev/d"});
  fake.set("topology", "raidz1");
  const auto forced = [&fake] {
    return zfs::needs_force(fake.host(), zfs::make_layout(fake.host()));
  };
  CHECK_FALSE(forced());
  add_devices(fake, "fast", {"/dev/m", "/dev/n"});
  fake.set("special", "fast");
  CHECK_FALSE(forced());
  fake.set("topology", "raidz2");
  CHECK(forced());
  fake.set("topology", "mirror");
  CHECK(forced());
  fake.set("width", 2);
  CHECK_FALSE(forced());
  fake.set("special_mirror", "false");
  CHECK(forced());
  fake.set("special_mirror", "true");
  fake.add_device("/dev/e", 2 * kGib, "slow");
  fake.add_device("/dev/f", 3 * kGib, "slow");
  CHECK(forced());
}

TEST_CASE("zfs spells a draid out") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "data", {"/dev/a", "/dev/b", "/dev/c", "/dev/d"});
  fake.set("topology", "draid1");
  fake.set("draid_spares", 1);
  CHECK(zfs::layout_problems(fake.host()).empty());
  CHECK(zfs::make_layout(fake.host()).at(0).kind == "draid1:2d:4c:1s");
  fake.set("draid_data", 3);
  CHECK_THAT(zfs::layout_problems(fake.host()).at(0),
             Catch::Contains("do not fit on 4 devices"));
}

TEST_CASE("zfs reports every contradiction at once") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "data", {"/dev/a", "/dev/b", "/dev/c"});
  fake.add_device("/dev/m", 1 << 20, "fast");
  fake.set("topology", "mirror");
  fake.set("width", 2);
  fake.set("special", "fast");
  fake.set("log", "nobody");
  fake.set("recordsize", "24KiB");
  zfs::Zfs(fake.host()).check();
  CHECK(fake.problems.size() == 5);
}

TEST_CASE("zfs leaves a pool alone that has its name") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "data", {"/dev/null"});
  zfs::Zfs layer(fake.host());
  // zpool list succeeds: somebody has such a pool.
  CHECK_THROWS_WITH(layer.assemble(), Catch::Contains("already"));
  layer.disassemble();
  CHECK(fake.ledger.empty());
  for (const std::string& line : fake.command_lines()) {
    CHECK(line.find("destroy") == std::string::npos);
    CHECK(line.find("create") == std::string::npos);
  }
}

TEST_CASE("zfs refuses a device with a label at its end") {
  const TemporaryFile image;
  const std::uint64_t size = 8 << 20;
  write_image(image.path(), size, {size - 256 * 1024});
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  fake.add_device(image.path(), size);
  fake.reply("zpool list", FakeHost::exits(1));
  CHECK_THROWS_WITH(zfs::Zfs(fake.host()).assemble(),
                    Catch::Contains("at bytes 8126464"));
  CHECK(fake.ledger.empty());
}

TEST_CASE("zfs enters labels and pool in the ledger before it makes them") {
  const TemporaryFile image;
  write_image(image.path(), 8 << 20, {});
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  fake.add_device(image.path(), 8 << 20);
  fake.reply("zpool list", FakeHost::exits(1));
  fake.reply("zpool create", FakeHost::exits(1, "", "out of luck"));
  zfs::Zfs layer(fake.host());
  CHECK_THROWS_WITH(layer.assemble(), Catch::Contains("out of luck"));
  REQUIRE(fake.ledger.size() == 3);
  CHECK(fake.ledger.back().undo ==
        std::vector<std::string>{"zpool", "destroy", "-f", "fake-object"});
  CHECK(fake.ledger[0].exists ==
        std::vector<std::string>{"blkid", "-c", "/dev/null", "-t",
                                 "LABEL=fake-object", image.path()});
  layer.disassemble();
  CHECK(fake.open_ledger().empty());
}

TEST_CASE("zfs finds labels at both ends and nothing in between") {
  const TemporaryFile image;
  // Not a multiple of a label's size: what is over is left alone.
  const std::uint64_t size = (8 << 20) + 4096;
  const auto offsets = zfs::label_offsets(size);
  REQUIRE(offsets.size() == 4);
  CHECK(offsets[3] == (8 << 20) - 256 * 1024);
  write_image(image.path(), size, {offsets[0], 1 << 20, offsets[3]});
  CHECK(zfs::find_labels(image.path()) ==
        std::vector<std::uint64_t>{offsets[0], offsets[3]});
  CHECK(zfs::label_offsets(1 << 19).empty());
  CHECK_THROWS(zfs::find_labels("/nonexistent/cowbench"));
}

TEST_CASE("zfs keeps a key of 32 bytes for itself") {
  const TemporaryFile file;
  zfs::make_key_file(file.path());
  struct stat facts {};
  REQUIRE(stat(file.path().c_str(), &facts) == 0);
  CHECK(facts.st_size == 32);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK_THROWS(zfs::make_key_file(file.path()));
}

TEST_CASE("zvol takes its share of the pool, sparsely") {
  FakeHost fake;
  fake.describe<zfs::Zvol>();
  add_devices(fake, "data", {"/dev/a"});
  zfs::Zvol layer(fake.host());
  layer.check();
  CHECK(fake.problems.empty());
  layer.plan();
  const std::vector<std::string>& volume = fake.planned.at(1);
  CHECK(std::count(volume.begin(), volume.end(), "-s") == 1);
  CHECK(std::count(volume.begin(), volume.end(), "volblocksize=16384") == 1);
  CHECK(std::count(volume.begin(), volume.end(), "75%-of-the-pool") == 1);
}

TEST_CASE("zvol asks less of a cold pass where it compresses") {
  FakeHost fake;
  fake.describe<zfs::Zvol>();
  fake.set("volblocksize", "16KiB");
  zfs::Zvol layer(fake.host());
  // 4000 entries of 8 bytes, 16 KiB of them in a sector of 4 KiB.
  CHECK(layer.cold_metadata_bytes(4000, true) == 4096);
  CHECK(layer.cold_metadata_bytes(1, false) == 1);
  fake.set("compression", "off");
  CHECK(layer.cold_metadata_bytes(4000, true) == UINT64_MAX);
}

TEST_CASE("zfs never puts a key on a command line") {
  FakeHost fake;
  fake.describe<zfs::Zfs>();
  add_devices(fake, "data", {"/dev/a"});
  fake.set("encryption", "aes-256-gcm");
  zfs::Zfs(fake.host()).plan();
  const std::vector<std::string>& dataset = fake.planned.at(1);
  CHECK(std::count(dataset.begin(), dataset.end(),
                   "keylocation=file:///fake/memory/zfs-key") == 1);
}
