// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "device_mapper/target.hpp"
#include "fixtures.hpp"

using namespace cowbench;
using cowbench::testing::fixture;

TEST_CASE("a mapping's targets are read line by line") {
  const auto targets =
      device_mapper::parse_targets("0 8 linear 7:0 0\n8 16 zero\nnonsense\n");
  REQUIRE(targets.size() == 2);
  CHECK(targets[0].argument(1) == "0");
  CHECK(targets[1].start_sectors == 8);
  CHECK(targets[1].argument(0).empty());
}

TEST_CASE("a listing of all devices names each of them") {
  const auto targets = device_mapper::parse_targets(
      fixture("lvm/dmsetup-1.02.205-table-vdo.txt"));
  REQUIRE(targets.size() == 3);
  CHECK(targets[0].device == "cbc0a5d78f1d93--lvm-pool-vpool");
  CHECK(targets[0].length_sectors == 12568576);
  CHECK(targets[0].type == "vdo");
  CHECK(targets[0].after("compression") == "on");
  CHECK(targets[0].after("physical") == "1");
  // The last word, and one that is not there.
  CHECK(targets[0].after("1570817").empty());
  CHECK(targets[2].after("1024").empty());
}

TEST_CASE("a listing of one device has no name in it") {
  const auto targets = device_mapper::parse_targets(
      fixture("dmsetup/dmsetup-1.02.205-table-integrity.txt"));
  REQUIRE(targets.size() == 1);
  CHECK(targets[0].device.empty());
  CHECK(targets[0].type == "integrity");
  CHECK_FALSE(targets[0].option("internal_hash").empty());
  CHECK(targets[0].option("internal").empty());
}

TEST_CASE("a line of dmsetup that is no target says why") {
  const auto fault = [](const char* line) {
    return device_mapper::parse_target(line).fault;
  };
  CHECK(fault("a:b: 0 8 zero").empty());
  CHECK(device_mapper::parse_target("a:b: 0 8 zero").target->device == "a:b");
  CHECK(fault("a: x 8 zero") == "not a number: x");
  CHECK(fault("a: 0 -8 zero") == "not a number: -8");
  CHECK(fault("a: 0 8") == "a line of unknown shape");
  // Without a table.
  CHECK(fault("a: ").empty());
  CHECK_FALSE(device_mapper::parse_target("a: ").target);
}
