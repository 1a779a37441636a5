// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "system/mount.hpp"
#include "temporary_folder.hpp"

using namespace cowbench;

TEST_CASE("the mount table is read field by field") {
  const auto table = parse_mountinfo(
      "21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"
      "36 21 0:32 /sub/vol /mnt/a\\040b\\134c rw,noatime - btrfs /dev/loop0 "
      "rw,space_cache=v2,subvol=/sub/vol\n"
      "40 21 0:40 / /run rw shared:5 master:2 propagate_from:1 - tmpfs tmpfs "
      "rw,size=64k\n"
      "nonsense\n"
      "41 21 x:y / /bad rw - tmpfs tmpfs rw\n"
      "42 21 0:41 / /short rw - tmpfs\n");
  REQUIRE(table.size() == 3);
  CHECK(table[0].id == 21);
  CHECK(table[0].parent_id == 1);
  CHECK(table[0].device.text() == "254:0");
  CHECK(table[0].type == "ext4");
  CHECK(table[0].source == "/dev/vda");
  CHECK(table[0].options == "rw,relatime");
  CHECK(table[0].fs_options == "rw,discard");
  CHECK(table[1].target == "/mnt/a b\\c");
  CHECK(table[1].root == "/sub/vol");
  CHECK(table[1].fs_options == "rw,space_cache=v2,subvol=/sub/vol");
  CHECK(table[2].type == "tmpfs");
}

TEST_CASE("mounts of this machine are found") {
  const auto root = find_mount("/");
  REQUIRE(root);
  CHECK(find_mount("/proc")->type == "proc");
  CHECK(mount_containing("/proc/self/no-such-file")->target == "/proc");
  CHECK_FALSE(find_mount("/proc/self").has_value());
  const auto below = mounts_below("/");
  CHECK(below.size() == mount_table()->size());
  CHECK(below.back().target == "/");
  CHECK(mounts_below("/proc").back().target == "/proc");
  CHECK(mounts_of_device("/dev/null").empty());
}

TEST_CASE("a folder without mounts needs no unmounting") {
  const TemporaryFolder folder;
  CHECK(unmount(folder.path()));
  CHECK(mounts_below(folder.path()).empty());
}

TEST_CASE("a regular file is not mounted") {
  const TemporaryFolder folder;
  const auto refused =
      mount_filesystem({"/proc/self/exe", folder.path(), "none", ""});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().category() == Category::kUsage);
}

TEST_CASE("device numbers are read strictly") {
  CHECK(parse_device_number("253:17")->text() == "253:17");
  for (const char* bad : {"", "253", "253:", ":1", "253:1x", "a:b", "1:2:3"}) {
    INFO(bad);
    CHECK_FALSE(parse_device_number(bad).has_value());
  }
}
