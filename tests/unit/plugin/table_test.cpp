// SPDX-License-Identifier: Apache-2.0
#include "plugin/table.hpp"

#include <cowbench/abi/plugin.h>

#include <catch2/catch.hpp>
#include <cstddef>

using namespace cowbench;

TEST_CASE("a shorter structure is completed with zeroes") {
  cowbench_requirement raw = {offsetof(cowbench_requirement, package),
                              COWBENCH_NEEDS_MODULE, "name", "not there yet"};
  const auto copy = copy_table<cowbench_requirement>(&raw);
  CHECK(copy.kind == COWBENCH_NEEDS_MODULE);
  CHECK(std::string(copy.name) == "name");
  CHECK(copy.package == nullptr);
}

TEST_CASE("a longer structure is cut at what is known") {
  struct {
    cowbench_estimate known;
    std::uint64_t later;
  } raw = {{sizeof raw, 0, 1, 2, 3}, 4};
  const auto copy = copy_table<cowbench_estimate>(&raw);
  CHECK(copy.struct_size == sizeof raw);
  CHECK(copy.duration_ns == 3);
}

TEST_CASE("a structure of no size is empty") {
  const std::uint32_t none = 0;
  CHECK(copy_table<cowbench_estimate>(&none).written_bytes == 0);
}
