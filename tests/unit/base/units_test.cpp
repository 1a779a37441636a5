// SPDX-License-Identifier: Apache-2.0
#include "base/units.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;

namespace {

std::uint64_t size_of(std::string_view text) {
  const auto size = parse_size(text);
  INFO(text);
  REQUIRE(size.ok());
  return *size;
}

std::uint64_t duration_of(std::string_view text) {
  const auto ns = parse_duration_ns(text);
  INFO(text);
  REQUIRE(ns.ok());
  return *ns;
}

}  // namespace

TEST_CASE("sizes are read in binary multiples") {
  CHECK(size_of("0") == 0);
  CHECK(size_of("512") == 512);
  CHECK(size_of("512B") == 512);
  CHECK(size_of("4k") == 4096);
  CHECK(size_of("4K") == 4096);
  CHECK(size_of("4KiB") == 4096);
  CHECK(size_of("4KB") == 4096);
  CHECK(size_of(" 64 MiB ") == 67108864);
  CHECK(size_of("1.5G") == 1610612736);
  CHECK(size_of("2TiB") == 2199023255552);
  CHECK(size_of("1PiB") == 1125899906842624);
}

TEST_CASE("what is no size is refused with examples or units") {
  for (const char* text : {"", " ", "GiB", "-1", "nan", "inf", "one"}) {
    INFO(text);
    REQUIRE_FALSE(parse_size(text).ok());
    CHECK(parse_size(text).error().category() == Category::kUsage);
    CHECK(parse_size(text).error().message().find("is not a size (examples") !=
          std::string::npos);
  }
  for (const char* text : {"1X", "1 GiBs", "1e3", "1.5.2", "0x10", "1MiB/s"}) {
    INFO(text);
    REQUIRE_FALSE(parse_size(text).ok());
    CHECK(parse_size(text).error().message().find("the unit must be one of") !=
          std::string::npos);
  }
  CHECK_FALSE(parse_size("9000000PiB").ok());
}

TEST_CASE("sizes are shown with at most one decimal") {
  CHECK(format_size(0) == "0 B");
  CHECK(format_size(512) == "512 B");
  CHECK(format_size(1023) == "1023 B");
  CHECK(format_size(1024) == "1 KiB");
  CHECK(format_size(1572864) == "1.5 MiB");
  CHECK(format_size(17179869184) == "16 GiB");
  CHECK(format_size(UINT64_MAX) == "16384 PiB");
}

TEST_CASE("durations are read with their unit") {
  CHECK(duration_of("0") == 0);
  CHECK(duration_of("5") == 5'000'000'000);
  CHECK(duration_of("200ms") == 200'000'000);
  CHECK(duration_of("1.5s") == 1'500'000'000);
  CHECK(duration_of("10 us") == 10'000);
  CHECK(duration_of("7ns") == 7);
  CHECK(duration_of("2min") == 120'000'000'000);
  CHECK(duration_of("2m") == 120'000'000'000);
  CHECK(duration_of("1h") == 3'600'000'000'000);
}

TEST_CASE("what is no duration is refused") {
  for (const char* text : {"", "s", "-5s", "5 weeks", "1e3s", "9e99"}) {
    INFO(text);
    REQUIRE_FALSE(parse_duration_ns(text).ok());
    CHECK(parse_duration_ns(text).error().category() == Category::kUsage);
  }
  CHECK_FALSE(parse_duration_ns("99999999999h").ok());
}

TEST_CASE("durations are shown in the unit that suits them") {
  CHECK(format_duration(0) == "0 ns");
  CHECK(format_duration(1500) == "1.5 us");
  CHECK(format_duration(4'100'000) == "4.1 ms");
  CHECK(format_duration(1'200'000'000) == "1.2 s");
  CHECK(format_duration(200'000'000'000) == "3 min 20 s");
  CHECK(format_duration(14'460'000'000'000) == "4 h 1 min");
}

TEST_CASE("rounding never prints a whole unit as a thousand smaller ones") {
  CHECK(format_size(1048575) == "1 MiB");
  CHECK(format_duration(999'999) == "1 ms");
  CHECK(format_duration(999'999'999) == "1 s");
  CHECK(format_duration(59'999'999'999) == "1 min 0 s");
}
