// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cowbench/block_device.hpp>
#include <cstdlib>
#include <filesystem>

using namespace cowbench;

TEST_CASE("two names of one thing resolve to the same path") {
  std::string folder = "/tmp/cowbench-unit-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string link = folder + "/null";
  std::filesystem::create_symlink("/dev/null", link);
  CHECK(resolved_path(link) == "/dev/null");
  CHECK(kernel_name(link) == "null");
  CHECK(resolved_path(folder + "/nothing") == folder + "/nothing");
  CHECK_THROWS_AS(kernel_name(folder + "/nothing"), std::system_error);
  CHECK_FALSE(is_block_device(link));
  std::filesystem::remove_all(folder);
}

TEST_CASE("attributes and names that are not there are empty") {
  CHECK(read_attribute("/sys/no/such/attribute").empty());
  CHECK(names_in("/sys/no/such/folder").empty());
}
