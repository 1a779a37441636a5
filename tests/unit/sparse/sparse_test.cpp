// SPDX-License-Identifier: Apache-2.0
#include "sparse/sparse.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <filesystem>
#include <string>

#include "../workloads/scratch.hpp"

using cowbench::SparsePhase;
using cowbench::testing::FakeHost;
namespace fs = std::filesystem;

namespace {

void make_small(FakeHost& fake, const Scratch& scratch) {
  fake.describe<SparsePhase>();
  fake.directory = scratch.path("");
  fake.set("sparse_size", "64MiB");
  fake.set("written_size", "3000000");
  fake.set("grown_size", "6MiB");
}

}  // namespace

TEST_CASE("a sparse phase emits all of its metrics with thirty samples") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  SparsePhase(fake.host()).run();
  CHECK(fake.missing_metrics().empty());
  CHECK(fake.breaches.empty());
  for (const auto& key : fake.metrics)
    CHECK(fake.value(key)->samples.size() == 30);
  CHECK(fake.figure("sparse_create_ms") > 0);
  CHECK(fake.figure("sparse_grow_ms") > 0);
  CHECK(fake.figure("sparse_create_bytes") < 1048576);
  CHECK(fake.figure("sparse_grow_bytes") < 1048576);
  CHECK(fake.quiesces == 2);
}

TEST_CASE("the sparse files have the sizes that were asked for") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  fake.set("samples", "3");
  SparsePhase(fake.host()).run();
  CHECK(fs::file_size(scratch.path("sparse2")) == 64u << 20);
  CHECK_FALSE(fs::exists(scratch.path("sparse3")));
  // Cut back after the last extension.
  CHECK(fs::file_size(scratch.path("written")) == 3'000'000);
}

TEST_CASE("a written file that would not grow is refused") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  fake.set("grown_size", "3000000");
  CHECK_THROWS_WITH(SparsePhase(fake.host()).run(),
                    Catch::Contains("grown_size must be above written_size"));
  CHECK(fs::is_empty(scratch.path("")));
}
