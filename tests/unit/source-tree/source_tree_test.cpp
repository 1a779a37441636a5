// SPDX-License-Identifier: Apache-2.0
#include "source-tree/source_tree.hpp"

#include <catch2/catch.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "../workloads/scratch.hpp"

using cowbench::SourceTreePhase;
using cowbench::testing::FakeHost;
namespace fs = std::filesystem;

namespace {

// A host with a small tree; the members read what a cold copy must read.
void make_small(FakeHost& fake, const Scratch& scratch) {
  fake.describe<SourceTreePhase>();
  fake.directory = scratch.path("");
  fake.set("files", "60");
  fake.set("directories", "7");
  fake.section_io = [](const std::string& section) {
    cowbench_io io{};
    if (section == "copy") io.read_bytes = 60 * 8192;
    return io;
  };
}

}  // namespace

TEST_CASE("a source tree phase emits all of its metrics") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  SourceTreePhase(fake.host()).run();
  CHECK(fake.missing_metrics().empty());
  CHECK(fake.breaches.empty());
  for (const auto& key : fake.metrics) CHECK(fake.figure(key) > 0);
}

TEST_CASE("every section starts at rest and only the copy is cold") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  SourceTreePhase(fake.host()).run();
  CHECK(fake.sections ==
        std::vector<std::string>{"create4", "create", "copy", "delete"});
  CHECK(fake.quiesces == 4);
  CHECK(fake.colds == 1);
  CHECK(fake.value("smalltree_create_ms")->conditions ==
        fake.value("smalltree_create4_ms")->conditions);
  // What is left is the tree; the copy was deleted.
  CHECK(fs::exists(scratch.path("tree/d00006")));
  CHECK_FALSE(fs::exists(scratch.path("copy")));
}

TEST_CASE("a copy from the cache is withheld with its reason") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  fake.section_io = [](const std::string&) { return cowbench_io{}; };
  SourceTreePhase(fake.host()).run();
  const auto* copied = fake.value("smalltree_cp_ms");
  REQUIRE(copied != nullptr);
  CHECK(copied->outcome == COWBENCH_OUTCOME_WITHHELD);
  CHECK_THAT(copied->reason, Catch::Contains("served from cache"));
  CHECK(copied->value > 0);
}

TEST_CASE("a stop request ends a source tree phase") {
  Scratch scratch;
  FakeHost fake;
  make_small(fake, scratch);
  fake.stop = true;
  CHECK_THROWS_AS(SourceTreePhase(fake.host()).run(), cowbench::Error);
  CHECK(fake.sections.empty());
}

TEST_CASE("the published sizes are the defaults of a source tree") {
  FakeHost fake;
  fake.describe<SourceTreePhase>();
  const auto estimate = SourceTreePhase(fake.host()).estimate();
  CHECK(fake.host().integer("files") == 20000);
  CHECK(fake.host().integer("directories") == 200);
  CHECK(estimate.written_bytes == 4 * 20000ull * 3840);
  CHECK(estimate.peak_bytes > 2 * 20000ull * 8192);
}
