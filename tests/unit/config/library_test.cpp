// SPDX-License-Identifier: Apache-2.0
#include "config/library.hpp"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <fstream>

namespace fs = std::filesystem;
using cowbench::ConfigKind;
using cowbench::ConfigLibrary;

namespace {

// Two directories: `first` shadows `second`.
class Directories {
 public:
  Directories() {
    std::string pattern = (fs::temp_directory_path() / "cowbench-XXXXXX");
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
    write("first/stacks/flat-single.json", R"({"published": "flat/one"})");
    write("second/stacks/flat-single.json", "{}");
    write("second/stacks/pool-mirror.json", "{}");
    write("second/stacks/broken.json", "{");
    write("second/stacks/notes.txt", "");
    write("second/profiles/short.json", "{}");
  }
  ~Directories() { fs::remove_all(root_); }
  Directories(const Directories&) = delete;
  Directories& operator=(const Directories&) = delete;

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  ConfigLibrary library() const {
    return ConfigLibrary({root_ / "first", root_ / "second", root_ / "third"});
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

std::string path_of(const ConfigLibrary& library, ConfigKind kind,
                    const std::string& wanted) {
  const auto found = library.find(kind, wanted);
  REQUIRE(found.index() == 0);
  return std::get<0>(found).path.string();
}

std::string problem_of(const ConfigLibrary& library, ConfigKind kind,
                       const std::string& wanted) {
  const auto found = library.find(kind, wanted);
  REQUIRE(found.index() == 1);
  return std::get<1>(found).text();
}

}  // namespace

TEST_CASE("earlier directories come first") {
  const Directories directories;
  const ConfigLibrary library = directories.library();
  CHECK(path_of(library, ConfigKind::kStack, "flat-single") ==
        directories.root() / "first/stacks/flat-single.json");
  CHECK(path_of(library, ConfigKind::kStack, "pool-mirror") ==
        directories.root() / "second/stacks/pool-mirror.json");
}

TEST_CASE("a stack answers to its published id and to a slash") {
  const Directories directories;
  const ConfigLibrary library = directories.library();
  CHECK(path_of(library, ConfigKind::kStack, "flat/one") ==
        directories.root() / "first/stacks/flat-single.json");
  CHECK(path_of(library, ConfigKind::kStack, "pool/mirror") ==
        directories.root() / "second/stacks/pool-mirror.json");
}

TEST_CASE("a path is taken as it is") {
  const Directories directories;
  const std::string path = directories.root() / "second/profiles/short.json";
  const auto found = directories.library().find(ConfigKind::kStack, path);
  REQUIRE(found.index() == 0);
  CHECK(std::get<0>(found).name == "short");
  CHECK(std::get<0>(found).text == "{}");
}

TEST_CASE("the list holds each name once") {
  const Directories directories;
  const auto stacks = directories.library().list(ConfigKind::kStack);
  REQUIRE(stacks.size() == 3);
  CHECK(stacks[0].name == "broken");
  CHECK(stacks[1].name == "flat-single");
  CHECK(stacks[1].text != "{}");
  CHECK(stacks[2].name == "pool-mirror");
}

TEST_CASE("an unknown name tells the nearest and where it was looked for") {
  const Directories directories;
  const std::string root = directories.root();
  CHECK(problem_of(directories.library(), ConfigKind::kStack, "pool-miror") ==
        "no stack \"pool-miror\" (did you mean \"pool-mirror\"?); looked in " +
            root + "/first/stacks, " + root + "/second/stacks, " + root +
            "/third/stacks (no such directory); a path must end in \".json\"");
  CHECK(problem_of(ConfigLibrary({}), ConfigKind::kProfile, "x") ==
        "no profile \"x\"; looked in no directory; a path must end in "
        "\".json\"");
}

TEST_CASE("files that cannot be read say why") {
  const Directories directories;
  const ConfigLibrary library = directories.library();
  const std::string root = directories.root();
  CHECK(problem_of(library, ConfigKind::kStack, root + "/none.json") ==
        root + "/none.json: there is no such file");
  fs::create_directory(root + "/folder.json");
  CHECK(problem_of(library, ConfigKind::kStack, root + "/folder.json") ==
        root + "/folder.json: is not a regular file");
  directories.write("big.json", std::string((1 << 20) + 1, ' '));
  CHECK(problem_of(library, ConfigKind::kStack, root + "/big.json") ==
        root +
            "/big.json: has 1048577 bytes; a configuration has at most "
            "1048576");
}

TEST_CASE("the program's own directory comes after those given") {
  const auto directories = cowbench::default_config_search({"/given"});
  REQUIRE(directories.size() == 2);
  CHECK(directories[0] == "/given");
  CHECK(directories[1].is_absolute());
  CHECK(directories[1].filename() == "cowbench");
}
