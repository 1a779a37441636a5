// SPDX-License-Identifier: Apache-2.0
#include "vm/virtual_machine.hpp"

#include <catch2/catch.hpp>

#include "vm/models.hpp"

using namespace cowbench;

TEST_CASE("the emulator's version is the part after its name") {
  CHECK(parse_emulator_version(
            "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\n"
            "Copyright (c) 2003-2022\n") ==
        "7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)");
  CHECK(parse_emulator_version("something else").empty());
}

TEST_CASE("a full store is told from an error that the guest has seen") {
  EmulatorReports reports({"root", "modules", "data0"});
  reports.take(R"({"QMP": {"version": {}}})");
  reports.take("no json");
  reports.take(R"({"event":"BLOCK_IO_ERROR","data":{"node-name":"disk2-raw",)"
               R"("operation":"read","action":"report",)"
               R"("reason":"Input/output error"}})");
  CHECK(reports.store_full().empty());
  CHECK(reports.take_disk_errors() ==
        std::vector<std::string>{"read below disk data0: Input/output error"});
  CHECK(reports.take_disk_errors().empty());
  reports.take(
      R"({"event":"BLOCK_IO_ERROR","data":{"node-name":"disk2-throttle",)"
      R"("operation":"write","nospace":true,"action":"stop",)"
      R"("reason":"No space left on device"}})");
  CHECK(reports.store_full() ==
        "write below disk data0: No space left on device");
}

TEST_CASE("how the machine went down is remembered") {
  EmulatorReports reports({});
  reports.take(
      R"({"event":"SHUTDOWN","data":{"guest":true,"reason":"guest-reset"}})");
  CHECK(reports.shutdown() == "guest-reset");
}

TEST_CASE("models of disks say why") {
  auto models = parse_disk_models(
      R"({"models":{"hdd":{"iops":150,"why":"x"},"nvme":{"why":"y"}}})", "f");
  REQUIRE(models);
  CHECK(models->at("hdd").iops == 150);
  CHECK(models->at("nvme").bytes_per_second == 0);
  CHECK_FALSE(parse_disk_models(R"({"models":{"hdd":{"iops":1}}})", "f"));
  CHECK_FALSE(parse_disk_models("{}", "f"));
  CHECK_FALSE(parse_disk_models("{", "f"));
}
