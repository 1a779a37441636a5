// SPDX-License-Identifier: Apache-2.0
#include "system/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "system/append_file.hpp"
#include "system/file_lock.hpp"
#include "system/filesystem.hpp"
#include "system/page_cache.hpp"
#include "system/process.hpp"
#include "temporary_folder.hpp"

using namespace cowbench;

TEST_CASE("a durable file replaces the old one and leaves no other") {
  const TemporaryFolder folder;
  const auto path = folder.file("state.json");
  CHECK(write_file_durable(path, "old"));
  CHECK(write_file_durable(path, "new", 0600));
  CHECK(*read_file(path) == "new");
  CHECK(list_folder(folder.path()) == std::vector<std::string>{"state.json"});
  struct stat facts {};
  REQUIRE(stat(path.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
}

TEST_CASE("a durable file that cannot be written leaves nothing") {
  const TemporaryFolder folder;
  const auto failed = write_file_durable(folder.file("no/such/file"), "x");
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().message().find("No such file") != std::string::npos);
  REQUIRE(make_directories(folder.file("taken/inside")));
  CHECK_FALSE(write_file_durable(folder.file("taken"), "x").ok());
  CHECK(list_folder(folder.path()) == std::vector<std::string>{"taken"});
}

TEST_CASE("reading tells what is missing") {
  const TemporaryFolder folder;
  CHECK(read_file(folder.file("absent")).error().message() ==
        "open " + folder.file("absent") + ": No such file or directory");
  CHECK(read_trimmed(folder.file("absent")).empty());
  REQUIRE(write_file_durable(folder.file("a"), "  one \ntwo\n"));
  CHECK(read_trimmed(folder.file("a")) == "one");
  CHECK(read_file("/proc/self/stat")->size() > 10);
}

TEST_CASE("folders are made with their parents and twice") {
  const TemporaryFolder folder;
  const auto path = folder.file("a/b/c");
  CHECK(make_directories(path + "/"));
  CHECK(make_directories(path));
  CHECK(std::filesystem::is_directory(path));
  REQUIRE(write_file_durable(folder.file("f"), ""));
  CHECK_FALSE(make_directories(folder.file("f/x")).ok());
  CHECK_FALSE(make_directories("").ok());
}

TEST_CASE("removing a tree does not follow links") {
  const TemporaryFolder folder;
  const auto keep = folder.file("keep");
  const auto tree = folder.file("tree");
  REQUIRE(make_directories(keep));
  REQUIRE(write_file_durable(keep + "/file", "x"));
  REQUIRE(make_directories(tree + "/deep/er"));
  REQUIRE(write_file_durable(tree + "/deep/file", "x"));
  std::filesystem::create_symlink(keep, tree + "/deep/link");
  std::filesystem::create_symlink("nowhere", tree + "/dangling");
  CHECK(remove_tree(tree + "/"));
  CHECK_FALSE(path_exists(tree));
  CHECK(path_exists(keep + "/file"));
  CHECK(remove_tree(tree));

  std::filesystem::create_symlink(keep, tree);
  CHECK(remove_tree(tree));
  CHECK_FALSE(path_exists(tree));
  CHECK(path_exists(keep + "/file"));
  CHECK(remove_tree(keep + "/file"));
  CHECK_FALSE(path_exists(keep + "/file"));
}

TEST_CASE("removing a tree refuses mount points and odd names") {
  const auto refused = remove_tree("/proc");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message().find("mounted there") != std::string::npos);
  CHECK_FALSE(remove_tree("/").ok());
  CHECK_FALSE(remove_tree("").ok());
  CHECK_FALSE(remove_tree("/tmp/..").ok());
}

TEST_CASE("a sparse file has its size and no blocks") {
  const TemporaryFolder folder;
  const auto path = folder.file("image");
  CHECK(create_sparse_file(path, 1ULL << 30));
  struct stat facts {};
  REQUIRE(stat(path.c_str(), &facts) == 0);
  CHECK(facts.st_size == 1LL << 30);
  CHECK(facts.st_blocks < 64);
  CHECK_FALSE(create_sparse_file(path, 1).ok());
  CHECK_FALSE(create_sparse_file(folder.file("b"), ~0ULL).ok());
  CHECK(*cached_bytes(path) == 0);
}

TEST_CASE("the page cache of a file can be seen and dropped") {
  const TemporaryFolder folder;
  const auto path = folder.file("data");
  REQUIRE(write_file_durable(path, std::string(1 << 20, 'x')));
  CHECK(*cached_bytes(path) == 1 << 20);
  CHECK(drop_file_cache(path));
  // Where the files are in memory, there is nothing to drop them to.
  if (!filesystem_facts(path)->memory_backed) CHECK(*cached_bytes(path) == 0);
  CHECK_FALSE(cached_bytes(folder.file("absent")).ok());
}

TEST_CASE("a log keeps whole lines and ends a torn one") {
  const TemporaryFolder folder;
  const auto path = folder.file("events.jsonl");
  {
    auto log = AppendFile::open(path);
    REQUIRE(log.ok());
    CHECK(log->write_line("one"));
    CHECK(log->write_line_durable("two"));
  }
  REQUIRE(truncate(path.c_str(), 6) == 0);
  {
    auto log = AppendFile::open(path);
    REQUIRE(log.ok());
    AppendFile moved = std::move(*log);
    CHECK(moved.write_line("three"));
    CHECK(moved.sync());
  }
  CHECK(*read_file(path) == "one\ntw\nthree\n");
  CHECK_FALSE(AppendFile::open(folder.file("no/log")).ok());
}

TEST_CASE("a lock excludes others until its holders are gone") {
  const TemporaryFolder folder;
  const auto path = folder.file("lock");
  CHECK_FALSE(*is_locked(path));
  {
    auto lock = FileLock::try_lock(path);
    REQUIRE(lock.ok());
    REQUIRE(lock->has_value());
    CHECK(*is_locked(path));
    CHECK_FALSE(FileLock::try_lock(path)->has_value());
  }
  CHECK_FALSE(*is_locked(path));
  CHECK(FileLock::try_lock(path)->has_value());
}

TEST_CASE("a lock can be shared with a program") {
  const TemporaryFolder folder;
  const auto path = folder.file("lock");
  auto lock = FileLock::try_lock(path);
  REQUIRE((lock.ok() && lock->has_value()));
  Command command;
  command.argv = {"sleep", "30"};
  command.kept_descriptors = {(*lock)->descriptor()};
  auto process = Process::start(command);
  REQUIRE(process.ok());
  lock->reset();
  CHECK(*is_locked(path));
  process->stop();
  CHECK_FALSE(*is_locked(path));
}

TEST_CASE("a filesystem tells its facts for paths yet to be made") {
  const TemporaryFolder folder;
  const auto facts = filesystem_facts(folder.file("not/yet/there"));
  REQUIRE(facts.ok());
  CHECK(facts->total_bytes > 0);
  CHECK(facts->free_bytes <= facts->total_bytes);
  CHECK_FALSE(facts->type.empty());
  CHECK(facts->device == *filesystem_id(folder.path()));
  CHECK(facts->device == filesystem_facts(folder.path())->device);
  CHECK_FALSE(filesystem_id(folder.file("absent")).ok());
}

TEST_CASE("a writable folder is told from others") {
  const TemporaryFolder folder;
  CHECK(check_writable(folder.path()));
  CHECK(list_folder(folder.path()).empty());
  CHECK(sync_filesystem(folder.path()));
  CHECK_FALSE(check_writable(folder.file("absent")).ok());
  CHECK_FALSE(check_writable("/proc").ok());
}

TEST_CASE("giving a file to the invoker needs no sudo") {
  const TemporaryFolder folder;
  unsetenv("SUDO_UID");
  CHECK(chown_to_invoker(folder.path()));
}
