// SPDX-License-Identifier: Apache-2.0
#include "workloads/flood.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "scratch.hpp"
#include "workloads/clock.hpp"

using cowbench::workloads::Flood;
using cowbench::workloads::monotonic_ns;
using cowbench::workloads::StreamData;
namespace fs = std::filesystem;

TEST_CASE("a flood loops over its file until it is stopped") {
  Scratch scratch;
  Flood flood(scratch.path("flood"), 3 * Flood::kWriteBytes - 5, 1);
  flood.start();
  while (flood.bytes_written() < 8 * Flood::kWriteBytes) ::usleep(1000);
  flood.stop();
  const auto written = flood.bytes_written();
  ::usleep(5000);
  CHECK(flood.bytes_written() == written);
  CHECK(written % Flood::kWriteBytes == 0);
  CHECK(fs::file_size(scratch.path("flood")) == 3 * Flood::kWriteBytes);
  flood.stop();
}

TEST_CASE("two writes of a flood differ") {
  Scratch scratch;
  Flood flood(scratch.path("flood"), 64 * Flood::kWriteBytes, 1);
  flood.start();
  while (flood.bytes_written() < 2 * Flood::kWriteBytes) ::usleep(1000);
  flood.stop();
  std::ifstream in(scratch.path("flood"), std::ios::binary);
  std::string first(4096, '\0'), second(4096, '\0');
  in.read(first.data(), 4096);
  in.seekg(static_cast<std::streamoff>(Flood::kWriteBytes));
  in.read(second.data(), 4096);
  CHECK(first != second);
}

TEST_CASE("a flood ends by itself when its time is over") {
  Scratch scratch;
  Flood flood(scratch.path("flood"), Flood::kWriteBytes, 1);
  // Seconds, because a busy machine may not run the thread for a while.
  const auto end = monotonic_ns() + 2'000'000'000;
  flood.start(end);
  while (flood.bytes_written() == 0 && monotonic_ns() < end) ::usleep(1000);
  CHECK(flood.bytes_written() > 0);
  while (monotonic_ns() < end) ::usleep(1000);
  // The write that was under way may still be counted.
  ::usleep(500'000);
  const auto written = flood.bytes_written();
  ::usleep(50'000);
  CHECK(flood.bytes_written() == written);
  flood.stop();
}

TEST_CASE("blocks of a stream depend on the seed and repeat late") {
  const StreamData data(1);
  const StreamData same(1);
  const StreamData other(2);
  CHECK(std::memcmp(data.block(5), same.block(5), 64) == 0);
  CHECK(std::memcmp(data.block(5), other.block(5), 64) != 0);
  std::set<const char*> blocks;
  for (std::uint64_t i = 0; i < 131'072; ++i) blocks.insert(data.block(i));
  CHECK(blocks.size() == 131'072);
}

TEST_CASE("a flood that cannot write says so when stopped") {
  Scratch scratch;
  rlimit saved{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &saved) == 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit tight = saved;
  tight.rlim_cur = 2 * Flood::kWriteBytes;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
  Flood flood(scratch.path("flood"), 8 * Flood::kWriteBytes, 1);
  flood.start();
  while (flood.bytes_written() < 2 * Flood::kWriteBytes) ::usleep(1000);
  ::usleep(20'000);
  std::string message;
  try {
    flood.stop();
  } catch (const std::system_error& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &saved);
  ::signal(SIGXFSZ, old_handler);
  CHECK_THAT(message, Catch::Contains("pwrite " + scratch.path("flood")));
}

TEST_CASE("a flood needs a folder for its file") {
  CHECK_THROWS_AS(Flood("/no/such/folder/flood", 1, 1), std::system_error);
}
