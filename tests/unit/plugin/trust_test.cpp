// SPDX-License-Identifier: Apache-2.0
#include "plugin/trust.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

using namespace cowbench;

namespace {

class Tree {
 public:
  Tree() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cowbench-trust-XXXXXX")
            .string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root = std::filesystem::canonical(name);
    std::filesystem::create_directory(root / "inner");
    ::chmod((root / "inner").c_str(), 0755);
    std::ofstream(file()) << "x";
    ::chmod(file().c_str(), 0644);
  }
  ~Tree() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  std::filesystem::path file() const { return root / "inner" / "file"; }

  std::filesystem::path root;
};

std::string refusal(const Tree& tree, const std::vector<uid_t>& owners) {
  const Status status = check_trusted(tree.file(), owners);
  return status ? "" : status.error().message();
}

}  // namespace

TEST_CASE("what only the owner can write is trusted") {
  const Tree tree;
  CHECK(refusal(tree, trusted_owners()).empty());
}

TEST_CASE("every directory on the path counts") {
  const Tree tree;
  ::chmod(tree.root.c_str(), 0770);
  CHECK(refusal(tree, trusted_owners()) ==
        "cannot be trusted: directory " + tree.root.string() +
            " can be written by others (mode 0770); run \"chmod go-w " +
            tree.root.string() + "\"");
}

TEST_CASE("a sticky directory protects its entries") {
  const Tree tree;
  ::chmod(tree.root.c_str(), 01777);
  CHECK(refusal(tree, trusted_owners()).empty());
  ::chmod(tree.file().c_str(), 01646);
  CHECK_FALSE(refusal(tree, trusted_owners()).empty());
}

TEST_CASE("an owner out of nowhere is not trusted") {
  const Tree tree;
  const std::string message = refusal(tree, {::geteuid() + 1});
  CHECK_THAT(message, Catch::StartsWith("cannot be trusted: directory /"));
  CHECK_THAT(message, Catch::Contains("neither root nor the invoking user"));
}

TEST_CASE("a path that is not there is not trusted") {
  CHECK_FALSE(check_trusted("/nowhere/at/all", trusted_owners()));
}

TEST_CASE("only root listens to what sudo says") {
  ::setenv("SUDO_UID", "4711", 1);
  const std::vector<uid_t> owners = trusted_owners();
  const bool listed =
      std::find(owners.begin(), owners.end(), 4711U) != owners.end();
  CHECK(listed == (::geteuid() == 0));
  CHECK(privileges_raised() == (::geteuid() == 0));
  ::setenv("SUDO_UID", "47x", 1);
  CHECK(trusted_owners().size() == 2);
  ::unsetenv("SUDO_UID");
  CHECK_FALSE(privileges_raised());
}
