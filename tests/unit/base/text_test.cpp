// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;
using Words = std::vector<std::string>;

TEST_CASE("the nearest name is the one with the fewest edits") {
  const Words names = {"calibration", "throughput", "sparse", "source-tree"};
  CHECK(nearest_name("troughput", names) == "throughput");
  CHECK(nearest_name("sprase", names) == "sparse");
  CHECK(nearest_name("source_tree", names) == "source-tree");
  CHECK(nearest_name("sparse", names) == "sparse");
}

TEST_CASE("a name that is near to nothing has no nearest") {
  CHECK(nearest_name("interactivity", {"sparse", "throughput"}) == "");
  CHECK(nearest_name("x", {}) == "");
  CHECK(nearest_name("", {"sparse"}) == "");
  // As many edits as the candidate has letters: nothing of it was typed.
  CHECK(nearest_name("zz", {"a", "ab"}) == "");
}

TEST_CASE("the first of equally near names wins") {
  CHECK(nearest_name("raid", {"raid0", "raid1"}) == "raid0");
}

TEST_CASE("a suggestion is a clause or nothing") {
  CHECK(did_you_mean("btrf", {"btrfs"}) == " (did you mean \"btrfs\"?)");
  CHECK(did_you_mean("qqqqqq", {"btrfs"}) == "");
}

TEST_CASE("joining and splitting are each other's inverse") {
  CHECK(join({}, ", ") == "");
  CHECK(join({"a"}, ", ") == "a");
  CHECK(join({"a", "", "c"}, ",") == "a,,c");
  CHECK(split("a,,c", ',') == Words{"a", "", "c"});
  CHECK(split("", ',') == Words{""});
  CHECK(split(",", ',') == Words{"", ""});
}

TEST_CASE("trimming takes blanks at both ends only") {
  CHECK(trim(" \t a b \r\n") == "a b");
  CHECK(trim(" \t ") == "");
  CHECK(trim("") == "");
}

TEST_CASE("a command line is quoted where a shell would need it") {
  CHECK(shell_quote({"mount", "-o", "rw,noatime", "/dev/loop0"}) ==
        "mount -o rw,noatime /dev/loop0");
  CHECK(shell_quote({"a b", "", "it's", "$x", "*"}) ==
        "'a b' '' 'it'\\''s' '$x' '*'");
  CHECK(shell_quote({}) == "");
}
