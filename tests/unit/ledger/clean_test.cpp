// SPDX-License-Identifier: Apache-2.0
#include "ledger/clean.hpp"

#include <catch2/catch.hpp>

#include "folder.hpp"
#include "system/file_lock.hpp"
#include "system/machine.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

// A state folder with the ledger of one job that made one image.
struct OneJob {
  Folder state;
  std::string ledger = state.path("ledgers/job.jsonl");

  OneJob() {
    std::filesystem::create_directory(state.path("ledgers"));
    std::filesystem::permissions(state.path("ledgers"),
                                 std::filesystem::perms::owner_all);
    auto made = Ledger::create(ledger, {"job", boot_id(), "now", ""});
    REQUIRE(made.ok());
    LedgerEntry image;
    image.kind = "image";
    image.identity = state.path("data0.img");
    REQUIRE(made->add(image).ok());
    state.write("data0.img", "x");
  }

  std::vector<CleanedLedger> clean(bool dry_run = false) const {
    return clean_ledgers(state.path("ledgers"), dry_run);
  }
  bool image_is_there() const {
    return std::filesystem::exists(state.path("data0.img"));
  }
};

}  // namespace

TEST_CASE("clean undoes the ledger of a dead job once") {
  const OneJob job;
  const auto cleaned = job.clean();
  REQUIRE(cleaned.size() == 1);
  CHECK(cleaned[0].error.empty());
  CHECK(cleaned[0].report.removed.size() == 1);
  CHECK_FALSE(job.image_is_there());
  CHECK(job.clean().empty());
}

TEST_CASE("a dry run of clean touches nothing") {
  const OneJob job;
  CHECK(job.clean(true)[0].report.removed.size() == 1);
  CHECK(job.image_is_there());
}

TEST_CASE("clean leaves a live job alone") {
  const OneJob job;
  const auto lock = FileLock::try_lock(job.ledger);
  REQUIRE(lock.ok());
  CHECK(job.clean()[0].live);
  CHECK(job.image_is_there());
}

TEST_CASE("clean believes no ledger that others can write") {
  const OneJob job;
  std::filesystem::permissions(job.ledger, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  CHECK_FALSE(job.clean()[0].error.empty());
  CHECK(job.image_is_there());
}

TEST_CASE("clean believes no folder of ledgers that others can write") {
  const OneJob job;
  std::filesystem::permissions(job.state.path("ledgers"),
                               std::filesystem::perms::all);
  CHECK_FALSE(job.clean()[0].error.empty());
  CHECK(job.image_is_there());
}

TEST_CASE("a torn line of a ledger is nothing") {
  const OneJob job;
  std::ofstream(job.ledger, std::ios::app) << R"({"id":7,"kind":"folder","ide)";
  CHECK(job.clean()[0].report.complete());
  CHECK_FALSE(job.image_is_there());
}

TEST_CASE("an absent folder has no ledgers") {
  const Folder folder;
  CHECK(clean_ledgers(folder.path("none"), false).empty());
}
