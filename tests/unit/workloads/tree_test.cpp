// SPDX-License-Identifier: Apache-2.0
#include "workloads/tree.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <system_error>

#include "scratch.hpp"
#include "workloads/crew.hpp"

using namespace cowbench::workloads;
namespace fs = std::filesystem;

namespace {

TreePlan small_plan() {
  TreePlan plan;
  plan.files = 103;
  plan.directories = 10;
  return plan;
}

std::map<std::string, std::string> contents_of(const std::string& root) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    contents[fs::relative(entry.path(), root).string()] = {
        std::istreambuf_iterator<char>(in), {}};
  }
  return contents;
}

void nothing() {}

}  // namespace

TEST_CASE("a tree has the planned files of the planned sizes") {
  Scratch scratch;
  const SourceTree tree(small_plan());
  tree.create(scratch.path("tree"), 1, nothing);
  const auto contents = contents_of(scratch.path("tree"));
  CHECK(contents.size() == 103);
  std::set<std::size_t> sizes;
  std::set<std::string> beginnings;
  std::uint64_t bytes = 0;
  for (const auto& [name, content] : contents) {
    sizes.insert(content.size());
    beginnings.insert(content.substr(0, 1024));
    bytes += content.size();
  }
  CHECK(sizes == std::set<std::size_t>{1024, 2048, 4096, 8192});
  CHECK(beginnings.size() == 103);
  CHECK(bytes == tree.counts().bytes);
  CHECK(tree.counts() == count_tree(scratch.path("tree")));
  CHECK(tree.counts().directories == 10);
}

TEST_CASE("no two files of a tree share an aligned block") {
  Scratch scratch;
  TreePlan plan = small_plan();
  plan.files = 1000;
  SourceTree(plan).create(scratch.path("tree"), 1, nothing);
  std::set<std::string> blocks;
  std::size_t count = 0;
  for (const auto& [name, content] : contents_of(scratch.path("tree")))
    for (std::size_t at = 0; at + 4096 <= content.size(); at += 4096, ++count)
      blocks.insert(content.substr(at, 4096));
  CHECK(blocks.size() == count);
  CHECK(count > 500);
}

TEST_CASE("one and four workers make the same tree") {
  Scratch scratch;
  const SourceTree tree(small_plan());
  tree.create(scratch.path("one"), 1, nothing);
  tree.create(scratch.path("four"), 4, nothing);
  CHECK(contents_of(scratch.path("one")) == contents_of(scratch.path("four")));
}

TEST_CASE("the seed decides about sizes and contents") {
  TreePlan plan = small_plan();
  const SourceTree first(plan);
  plan.seed = 43;
  const SourceTree second(plan);
  CHECK(first.counts().bytes != second.counts().bytes);
  CHECK(first.counts() == SourceTree(small_plan()).counts());
}

TEST_CASE("the finishing call lies within the span") {
  Scratch scratch;
  const SourceTree tree(small_plan());
  const auto pause = [] { ::usleep(30'000); };
  CHECK(tree.create(scratch.path("a"), 2, pause) >= 30'000'000);
  CHECK(copy_tree(scratch.path("a"), scratch.path("b"), pause) >= 30'000'000);
  CHECK(remove_tree(scratch.path("b"), tree.counts(), pause) >= 30'000'000);
}

TEST_CASE("a copy equals its source") {
  Scratch scratch;
  SourceTree(small_plan()).create(scratch.path("a"), 1, nothing);
  fs::create_directories(scratch.path("a/d00000/deeper/still"));
  std::ofstream(scratch.path("a/d00000/deeper/still/large"))
      << std::string(300'000, 'x');
  std::ofstream(scratch.path("a/empty"));
  copy_tree(scratch.path("a"), scratch.path("b"), nothing);
  CHECK_NOTHROW(require_tree(scratch.path("b"), count_tree(scratch.path("a"))));
  CHECK(contents_of(scratch.path("a")) == contents_of(scratch.path("b")));
}

TEST_CASE("a copy refuses what is neither file nor directory") {
  Scratch scratch;
  fs::create_directory(scratch.path("a"));
  fs::create_symlink("nowhere", scratch.path("a/link"));
  CHECK_THROWS_WITH(
      copy_tree(scratch.path("a"), scratch.path("b"), nothing),
      Catch::Contains(scratch.path("a/link") + ": neither a file"));
}

TEST_CASE("a removed tree is gone and its counts are compared") {
  Scratch scratch;
  const SourceTree tree(small_plan());
  tree.create(scratch.path("a"), 1, nothing);
  remove_tree(scratch.path("a"), tree.counts(), nothing);
  CHECK_FALSE(fs::exists(scratch.path("a")));

  tree.create(scratch.path("b"), 1, nothing);
  fs::remove(fs::directory_iterator(scratch.path("b/d00003"))->path());
  CHECK_THROWS_WITH(
      remove_tree(scratch.path("b"), tree.counts(), nothing),
      Catch::Contains("expected 103 files") && Catch::Contains("found 102"));
}

TEST_CASE("a tree that came out wrong is reported with both counts") {
  Scratch scratch;
  const SourceTree tree(small_plan());
  const std::string root = scratch.path("a");
  tree.create(root, 1, nothing);
  CHECK_NOTHROW(require_tree(root, tree.counts()));
  fs::remove(fs::directory_iterator(root + "/d00000")->path());
  CHECK_THROWS_WITH(require_tree(root, tree.counts()),
                    Catch::Contains("count " + root + ": expected 103 files") &&
                        Catch::Contains("found 102 files"));
}

TEST_CASE("an error of any worker reaches the caller") {
  Scratch scratch;
  const SourceTree tree(small_plan());
  CHECK_THROWS_AS(tree.create(scratch.path("no/parent"), 4, nothing),
                  std::system_error);
  Crew crew(3, [](unsigned worker) {
    if (worker == 2) throw std::runtime_error("of worker 2");
  });
  CHECK_THROWS_WITH(crew.run(), "of worker 2");
}

TEST_CASE("a crew that never runs goes home") {
  int calls = 0;
  {
    Crew crew(3, [&](unsigned) { ++calls; });
  }
  CHECK(calls == 0);
}

TEST_CASE("an impossible plan is refused") {
  TreePlan plan;
  plan.directories = 0;
  CHECK_THROWS_AS(SourceTree(plan), std::invalid_argument);
  plan = TreePlan();
  plan.sizes_bytes.clear();
  CHECK_THROWS_AS(SourceTree(plan), std::invalid_argument);
}
