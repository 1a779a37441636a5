// SPDX-License-Identifier: Apache-2.0
#include "ledger/undo.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "folder.hpp"
#include "system/clock.hpp"
#include "system/process.hpp"
#include "system/process_list.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

LedgerEntry entry(const std::string& kind, const std::string& identity) {
  LedgerEntry made;
  made.kind = kind;
  made.identity = identity;
  return made;
}

}  // namespace

TEST_CASE("a folder goes with its content, an image alone") {
  const Folder folder;
  folder.write("foreign", "x");
  folder.write("data0.img", "x");
  std::filesystem::create_directories(folder.path("job/mnt"));
  folder.write("job/mnt/file", "x");

  for (const auto& [kind, name] :
       {std::pair("image", "data0.img"), std::pair("folder", "job")}) {
    const auto undone =
        undo_entry(entry(kind, folder.path(name)), true, UndoMoment::kLater);
    REQUIRE(undone.ok());
    CHECK(*undone);
    CHECK_FALSE(std::filesystem::exists(folder.path(name)));
    CHECK_FALSE(
        *undo_entry(entry(kind, folder.path(name)), true, UndoMoment::kLater));
  }
  CHECK(std::filesystem::exists(folder.path("foreign")));
}

TEST_CASE("a link in the place of a folder goes, not what it points to") {
  const Folder folder;
  std::filesystem::create_directory(folder.path("foreign"));
  folder.write("foreign/file", "x");
  std::filesystem::create_symlink(folder.path("foreign"), folder.path("job"));

  REQUIRE(
      undo_entry(entry("folder", folder.path("job")), true, UndoMoment::kLater)
          .ok());
  CHECK_FALSE(std::filesystem::is_symlink(folder.path("job")));
  CHECK(std::filesystem::exists(folder.path("foreign/file")));
}

TEST_CASE("processes of the job are ended, but not after a restart") {
  const std::string tag = "unit-ledger-" + std::to_string(getpid());
  Command command;
  command.argv = {"sleep", "60"};
  command.environment = {{kJobTagVariable, tag}};
  auto process = Process::start(command);
  REQUIRE(process.ok());

  const auto later =
      undo_entry(entry("processes", tag), false, UndoMoment::kLater);
  REQUIRE(later.ok());
  CHECK_FALSE(*later);
  CHECK(process->running());

  const auto now =
      undo_entry(entry("processes", tag), true, UndoMoment::kLater);
  REQUIRE(now.ok());
  CHECK(*now);
  CHECK(process->wait_for(kNsPerSecond));
}

TEST_CASE("what only a running kernel holds is gone after a restart") {
  for (const char* kind : {"loop", "mount", "slice"}) {
    // A mount point that is there, and not the job's.
    const auto undone =
        undo_entry(entry(kind, "/proc"), false, UndoMoment::kLater);
    REQUIRE(undone.ok());
    CHECK_FALSE(*undone);
  }
}

TEST_CASE("signatures are left alone after a restart") {
  LedgerEntry wipe = entry("wipe", "/dev/null");
  CHECK_FALSE(undo_entry(wipe, false, UndoMoment::kLater).ok());
}

TEST_CASE("an object is undone by its own command and looked for again") {
  const Folder folder;
  folder.write("pool", "x");
  LedgerEntry object = entry("object", "pool");
  object.exists = {"test", "-e", folder.path("pool")};
  object.undo = {"rm", folder.path("pool")};
  CHECK(*undo_entry(object, true, UndoMoment::kLater));
  CHECK_FALSE(*undo_entry(object, true, UndoMoment::kLater));

  folder.write("pool", "x");
  object.undo = {"true"};
  CHECK_FALSE(undo_entry(object, true, UndoMoment::kLater).ok());
}

TEST_CASE("an entry of an unknown kind is not guessed at") {
  CHECK_FALSE(
      undo_entry(entry("tape", "/dev/st0"), true, UndoMoment::kLater).ok());
}
