// SPDX-License-Identifier: Apache-2.0
#include "system/block.hpp"

#include <catch2/catch.hpp>

#include "system/file.hpp"
#include "system/io_counters.hpp"
#include "system/loop.hpp"
#include "system/partition.hpp"
#include "temporary_folder.hpp"

using namespace cowbench;

TEST_CASE("counters of a device are read from all kernels") {
  const auto counters = parse_io_counters(
      "   53434     8562  4363298    12771    21164    12741  1235344     6059 "
      "       3    10008    19858     4428       55   293536      593     1171 "
      "     433\n");
  REQUIRE(counters);
  CHECK(counters->read_ops == 53434);
  CHECK(counters->read_bytes == 4363298ULL * 512);
  CHECK(counters->write_ops == 21164);
  CHECK(counters->write_bytes == 1235344ULL * 512);
  CHECK(counters->in_flight == 3);
  CHECK(counters->busy_ns == 10008ULL * 1000000);
  CHECK(counters->discard_ops == 4428);
  CHECK(counters->discard_bytes == 293536ULL * 512);
  CHECK(counters->flush_ops == 1171);

  const auto old = parse_io_counters("1 2 3 4 5 6 7 8 9 10 11\n");
  REQUIRE(old);
  CHECK(old->write_bytes == 7 * 512);
  CHECK(old->flush_ops == 0);
  CHECK_FALSE(parse_io_counters("").has_value());
  CHECK_FALSE(parse_io_counters("1 2 3").has_value());
  CHECK_FALSE(parse_io_counters("1 2 x 4 5 6 7 8 9 10 11").has_value());
}

TEST_CASE("counters subtract and add") {
  IoCounters earlier;
  earlier.write_bytes = 100;
  earlier.in_flight = 7;
  IoCounters later = earlier;
  later.write_bytes = 350;
  later.flush_ops = 2;
  later.in_flight = 1;
  const auto change = later - earlier;
  CHECK(change.write_bytes == 250);
  CHECK(change.flush_ops == 2);
  CHECK(change.in_flight == 1);
  CHECK((change + change).write_bytes == 500);
  // A device that came back counts from zero.
  CHECK((earlier - later).write_bytes == 100);
}

TEST_CASE("an absent device is lost") {
  CHECK(io_counters("/dev/cowbench-absent").error().category() ==
        Category::kDeviceLost);
  CHECK(io_counters(DeviceNumber{4000, 4000}).error().category() ==
        Category::kDeviceLost);
}

TEST_CASE("what is no block device is named") {
  const TemporaryFolder folder;
  REQUIRE(write_file_durable(folder.file("f"), ""));
  const auto message = [](const std::string& path) {
    const auto facts = block_facts(path);
    REQUIRE_FALSE(facts.ok());
    CHECK(facts.error().category() == Category::kUsage);
    return facts.error().message();
  };
  CHECK(message("").find("empty") != std::string::npos);
  CHECK(message(folder.path()).find("a folder") != std::string::npos);
  CHECK(message(folder.file("f")).find("a regular file") != std::string::npos);
  CHECK(message("/dev/null").find("a character device") != std::string::npos);
  CHECK(message("/dev/cowbench-absent").find("No such file") !=
        std::string::npos);
  CHECK(loop_status("/dev/null").error().category() == Category::kUsage);
  CHECK(device_usage("/dev/null").error().category() == Category::kUsage);
  CHECK_FALSE(add_partition("/dev/null", 1, 0, 4096).ok());
  CHECK_FALSE(delete_partition("/dev/null", 1).ok());
  CHECK(io_counters("/dev/null").error().category() == Category::kUsage);
}

TEST_CASE("swap devices are listed") {
  CHECK(
      parse_swaps("Filename\t\t\tType\t\tSize\tUsed\tPriority\n"
                  "/dev/sda2                               partition\t8 0 -2\n"
                  "/swapfile file 1 0 -3\n") ==
      std::vector<std::string>{"/dev/sda2", "/swapfile"});
  CHECK(parse_swaps("").empty());
}

TEST_CASE("the scheduler in effect is the one in brackets") {
  CHECK(parse_scheduler("none [mq-deadline] kyber") == "mq-deadline");
  CHECK(parse_scheduler("[none]") == "none");
  CHECK(parse_scheduler("none") == "none");
  CHECK(parse_scheduler("").empty());
}

TEST_CASE("partitions are named as the kernel does") {
  CHECK(partition_path("/dev/sda", 1) == "/dev/sda1");
  CHECK(partition_path("/dev/loop0", 2) == "/dev/loop0p2");
  CHECK(partition_path("/dev/nvme0n1", 3) == "/dev/nvme0n1p3");
}

TEST_CASE("a file that nothing is over has no loop devices") {
  const TemporaryFolder folder;
  CHECK(loops_backed_by(folder.file("absent")).empty());
  CHECK(detach_loop("/dev/loop0", folder.file("absent")));
  CHECK_FALSE(attach_loop(folder.file("absent"), {}).ok());
}
