// SPDX-License-Identifier: Apache-2.0
#include "workloads/directory.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "scratch.hpp"

using cowbench::workloads::LargeDirectory;
namespace fs = std::filesystem;

TEST_CASE("every pass over a large directory counts all of its files") {
  Scratch scratch;
  LargeDirectory directory(scratch.path("many"), 2500);
  CHECK(directory.create() == 2500);
  CHECK(fs::exists(scratch.path("many/f0000")));
  CHECK(fs::exists(scratch.path("many/f2499")));
  CHECK(directory.enumerate() == 2500);
  CHECK(directory.enumerate_and_stat() == 2500);
  CHECK(directory.remove() == 2500);
  CHECK_FALSE(fs::exists(scratch.path("many")));
}

TEST_CASE("a file too few or too many shows in the counts") {
  Scratch scratch;
  LargeDirectory directory(scratch.path("many"), 10);
  directory.create();
  fs::remove(scratch.path("many/f3"));
  CHECK(directory.enumerate() == 9);
  std::ofstream(scratch.path("many/f3")) << "not empty";
  CHECK(directory.enumerate() == 10);
  CHECK(directory.enumerate_and_stat() == 9);
  std::ofstream(scratch.path("many/more"));
  CHECK(directory.remove() == 11);
}

TEST_CASE("more names than prepared for are removed all the same") {
  Scratch scratch;
  LargeDirectory few(scratch.path("many"), 1);
  LargeDirectory many(scratch.path("many"), 20000);
  many.create();
  CHECK(few.remove() == 20000);
}

TEST_CASE("a directory of no files works") {
  Scratch scratch;
  LargeDirectory directory(scratch.path("none"), 0);
  CHECK(directory.create() == 0);
  CHECK(directory.enumerate_and_stat() == 0);
  CHECK(directory.remove() == 0);
}

TEST_CASE("a failed call names itself and its path") {
  Scratch scratch;
  LargeDirectory directory(scratch.path("many"), 3);
  CHECK_THROWS_WITH(directory.enumerate(),
                    Catch::Contains("open") &&
                        Catch::Contains(scratch.path("many")) &&
                        Catch::Contains("No such file"));
  fs::create_directory(scratch.path("many"));
  CHECK_THROWS_AS(directory.create(), std::system_error);
}
