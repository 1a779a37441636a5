// SPDX-License-Identifier: Apache-2.0
#include "xfs/xfs.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>

#include "fixtures.hpp"
#include "xfs/mkfs.hpp"

using namespace cowbench;
using cowbench::testing::FakeHost;
using cowbench::testing::fixture;

TEST_CASE("xfs reads the version of mkfs.xfs") {
  CHECK(xfs::parse_version(fixture("xfsprogs-6.1.0/version.txt")) == "6.1.0");
  CHECK(xfs::parse_version("").empty());
}

TEST_CASE("xfs makes the filesystem without a question or a discard") {
  FakeHost fake;
  fake.describe<xfs::Xfs>();
  fake.add_device("/dev/loop0", std::uint64_t{1} << 30);
  xfs::Xfs(fake.host()).plan();
  CHECK(fake.planned.at(0) ==
        std::vector<std::string>{"mkfs.xfs", "-f", "-q", "-K", "-b",
                                 "size=4096", "-i", "size=512", "-m",
                                 "crc=1,reflink=1", "/dev/loop0"});
  fake.set("discard", "true");
  xfs::Xfs(fake.host()).plan();
  CHECK(fake.planned.at(1).at(3) == "-b");
}

TEST_CASE("xfs refuses reflink without checksums and a small device") {
  FakeHost fake;
  fake.describe<xfs::Xfs>();
  fake.add_device("/dev/loop0", std::uint64_t{256} << 20);
  fake.set("crc", "false");
  xfs::Xfs(fake.host()).check();
  REQUIRE(fake.problems.size() == 2);
  CHECK_THAT(fake.problems[0], Catch::Contains("reflink"));
  CHECK_THAT(fake.problems[1], Catch::Contains("300 MiB"));
}

TEST_CASE("xfs has shared extents only when made with reflink") {
  FakeHost fake;
  fake.describe<xfs::Xfs>();
  xfs::Xfs layer(fake.host());
  CHECK_NOTHROW(layer.supports_reflink());
  fake.set("reflink", "false");
  CHECK_THROWS_WITH(layer.supports_reflink(), Catch::Contains("reflink"));
}
