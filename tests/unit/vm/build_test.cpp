// SPDX-License-Identifier: Apache-2.0
// The parts of building a guest that read and name things.
#include "vm/build.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "../config/schema.hpp"
#include "base/json.hpp"
#include "system/file.hpp"
#include "vm/apt.hpp"
#include "vm/cpio.hpp"
#include "vm/guest_image.hpp"
#include "vm/recipe.hpp"
#include "vm/stage.hpp"

namespace {

std::string text_of(const std::string& path) {
  auto text = cowbench::read_file(path);
  REQUIRE(text);
  return *text;
}

std::string fixture(const std::string& name) {
  return text_of(COWBENCH_FIXTURES "/apt/" + name);
}

const std::string kGuests = COWBENCH_SOURCE_DIR "/configs/guests/";

// Gone with the object.
struct Folder {
  Folder() {
    char name[] = "/tmp/cowbench-build-test-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path = name;
  }
  ~Folder() { (void)cowbench::remove_tree(path); }
  std::string path;
};

}  // namespace

TEST_CASE("what apt would install is read with its versions") {
  const auto packages = cowbench::parse_simulation(
      fixture("apt-2.6.1-simulate-linux-image-amd64.txt"));
  std::string kernel;
  for (const auto& package : packages) {
    if (package.name == "linux-image-6.12.117+deb13-amd64") {
      kernel = package.version;
    }
  }
  CHECK(kernel == "6.12.117-1");
  CHECK(packages.size() == 44);
  CHECK(cowbench::parse_simulation("Inst\nInst x\nConf y (1 z)\n").empty());
}

TEST_CASE("apt's own words for a refusal are kept, and no others") {
  CHECK(cowbench::apt_reason("W: Unable to read\nE: Unable to locate package "
                             "nonsense-package\n") ==
        "Unable to locate package nonsense-package");
  CHECK(cowbench::apt_reason("Reading package lists...").empty());
}

TEST_CASE("the host's mirror of Debian is found among its suites") {
  CHECK(cowbench::parse_mirror(
            "http://deb.debian.org/debian-security/|Debian|Debian-Security\n"
            "http://mirror.example/debian/|Debian|Debian\n") ==
        "http://mirror.example/debian");
  // Before the first update apt knows no origins.
  CHECK(cowbench::parse_mirror("http://mirror.example/debian/||\n") ==
        "http://mirror.example/debian");
  CHECK(cowbench::parse_mirror("https://deb.nodesource.com/node_20.x/|x|y\n")
            .empty());
}

TEST_CASE("a suite beside the first gives what is asked of it and no more") {
  const cowbench::Apt apt("/nowhere", "http://m/debian", "/k",
                          {{"trixie", {"main"}},
                           {"experimental", {"main"}},
                           {"trixie-backports", {"main"}}},
                          {});
  const std::vector<cowbench::AptPin> pins = {{"experimental", {"a-tool"}}};
  const std::string text = apt.preferences(pins);
  CHECK(text.find("Package: a-tool\nPin: release a=experimental\n"
                  "Pin-Priority: 990") != std::string::npos);
  CHECK(text.find("Package: *\nPin: release a=experimental\n"
                  "Pin-Priority: -1") != std::string::npos);
  CHECK(text.find("Package: *\nPin: release n=trixie-backports\n"
                  "Pin-Priority: -1") != std::string::npos);
  const auto lines = apt.source_lines(pins);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] ==
        "deb [signed-by=/k target=Packages] http://m/debian experimental main");
}

TEST_CASE("the compiler's reason is found in a log") {
  CHECK(cowbench::compiler_reason(fixture("gcc-12-make-fails.txt"))
            .find("error: 'undeclared_thing' undeclared") != std::string::npos);
  CHECK(cowbench::compiler_reason("checking x... no\nconfigure: error: \n"
                                  "configure: error: no way\n") ==
        "configure: error:");
  CHECK(cowbench::compiler_reason("one\nthe last\n\n") == "the last");
  CHECK(cowbench::compiler_reason("").empty());
  CHECK(cowbench::compiler_reason(std::string(500, 'x')).size() == 200);
}

TEST_CASE("a content key changes with every text and with their borders") {
  const std::string key = cowbench::content_key({"ab", "c"});
  CHECK(key.size() == 32);
  CHECK(key == cowbench::content_key({"ab", "c"}));
  CHECK(key != cowbench::content_key({"a", "bc"}));
  CHECK(key != cowbench::content_key({"ab", "c", ""}));
  CHECK(key != cowbench::content_key({"c", "ab"}));
}

TEST_CASE("a stage is there only once it is whole") {
  const Folder folder;
  const cowbench::StageStore store(folder.path);
  REQUIRE(store.begin("root", "k"));
  CHECK_FALSE(store.has("root", "k"));

  SECTION("finished") {
    REQUIRE(store.finish("root", "k"));
    CHECK(store.has("root", "k"));
    CHECK(*store.discard_unfinished() == 0);
    CHECK(store.has("root", "k"));
  }
  SECTION("left behind by a build that ended early") {
    CHECK(*store.discard_unfinished() == 1);
    CHECK(*store.discard_unfinished() == 0);
    CHECK_FALSE(store.has("root", "k"));
  }
}

TEST_CASE("an archive for the kernel is as cpio writes it") {
  cowbench::CpioArchive archive;
  archive.add_folder("bin");
  archive.add_file("bin/x", "hello", 0755);
  const std::string bytes = std::move(archive).finish();
  CHECK(bytes.size() % 4 == 0);
  CHECK(bytes.substr(0, 22) == "07070100000001000041ed");
  CHECK(bytes.find("bin/x") != std::string::npos);
  CHECK(bytes.find("hello") % 4 == 0);
  CHECK(bytes.find("TRAILER!!!") != std::string::npos);
}

TEST_CASE("shipped recipes are accepted, by the schema too") {
  const cowbench_test::Schema schema("guest");
  const cowbench::ConfigLibrary library({COWBENCH_SOURCE_DIR "/configs"});
  for (const char* name : {"trixie", "trixie-backports"}) {
    INFO(name);
    CHECK(schema.fault(text_of(kGuests + name + ".json")) == "");
    auto found = cowbench::find_recipe(library, name);
    if (found.index() == 1) {
      FAIL(cowbench::problems_text(std::get<1>(found)));
    }
    const auto& recipe = std::get<cowbench::Recipe>(found);
    CHECK(recipe.name == name);
    CHECK(recipe.suite == "trixie");
    CHECK(cowbench::parse_json(recipe.json));
  }
}

TEST_CASE("a recipe that extends another replaces single members of it") {
  auto found = cowbench::check_recipe(
      text_of(kGuests + "trixie-backports.json"), "trixie-backports.json",
      text_of(kGuests + "trixie.json"), "trixie.json");
  REQUIRE(found.index() == 0);
  const auto& recipe = std::get<cowbench::Recipe>(found);
  CHECK(recipe.kernel.suite == "trixie-backports");
  CHECK(recipe.kernel.package == "linux-image-amd64");
  CHECK(recipe.extra_modules.size() == 1);
  CHECK(recipe.root_also.size() == 1);
}

TEST_CASE("all faults of a recipe are told at once") {
  auto found = cowbench::check_recipe(
      R"({"name": "x", "sumary": "y", "suite": "-o APT", "root": [],
          "extra_modules": [{"name": "m", "kind": "rpm", "package": "p",
                             "keep": [], "why": "w"}]})",
      "x.json");
  REQUIRE(found.index() == 1);
  const std::string text =
      cowbench::problems_text(std::get<cowbench::Problems>(found));
  CHECK(text.find("unknown key \"sumary\"") != std::string::npos);
  CHECK(text.find("/suite: expected a name without blanks") !=
        std::string::npos);
  CHECK(text.find("/root: expected an object") != std::string::npos);
  CHECK(text.find("no kind \"rpm\"") != std::string::npos);
}

TEST_CASE("guests are found by name, kernel and source; damaged ones told") {
  const Folder folder;
  const std::string guest = folder.path + "/guests/g";
  REQUIRE(cowbench::make_directories(guest));
  const std::vector<std::string> caches = {folder.path};
  const auto put = [&](const std::string& text) {
    REQUIRE(cowbench::write_file_durable(guest + "/guest.json", text));
  };
  put(R"({"format": 1, "name": "g", "kernel_release": "6.1", "vmlinuz": "v",
          "initrd": "v", "root": "v", "modules": "v",
          "kernel_source": "somewhere",
          "recipe": {"modprobe": ["loop"], "command_line": ["quiet"]}})");
  CHECK(cowbench::list_guests(caches).guests.empty());
  CHECK(cowbench::list_guests(caches).unusable.size() == 1);
  CHECK_FALSE(cowbench::find_guest(caches, "g"));

  REQUIRE(cowbench::write_file_durable(folder.path + "/v", "12345"));
  for (const char* name : {"g", "6.1", "somewhere"}) {
    auto found = cowbench::find_guest(caches, name);
    REQUIRE(found);
    CHECK(found->root == folder.path + "/v");
    CHECK(found->bytes == 20);
    CHECK(found->modprobe == std::vector<std::string>{"loop"});
  }
  auto missing = cowbench::find_guest(caches, "h");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().category() == cowbench::Category::kEnvironment);
  CHECK(missing.error().message().find("there is: g") != std::string::npos);

  put(R"({"format": 2})");
  CHECK(cowbench::list_guests(caches).unusable.size() == 1);
  put("{");
  CHECK(cowbench::list_guests(caches).unusable.size() == 1);
}

TEST_CASE("a build that ran out of space says nothing of what was built") {
  CHECK(cowbench::fault_of_machine(
            "  CC x.o\ncc1: fatal error: /x.s: No space left on device\n"
            "compilation terminated.\n") ==
        "cc1: fatal error: /x.s: No space left on device");
  CHECK(cowbench::fault_of_machine(
            "gcc: fatal error: Killed signal terminated program cc1\n") ==
        "gcc: fatal error: Killed signal terminated program cc1");
  CHECK(cowbench::fault_of_machine(fixture("gcc-12-make-fails.txt")).empty());
}
