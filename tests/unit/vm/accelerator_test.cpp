// SPDX-License-Identifier: Apache-2.0
#include "vm/accelerator.hpp"

#include <catch2/catch.hpp>

using namespace cowbench;

TEST_CASE("an answer is remembered for its emulator, kernel and boot") {
  const ProbeKey key{"7.2.22", "6.12", "boot-a"};
  const std::string text = with_answer("", key, {false, "did not boot"});
  const auto answer = remembered_answer(text, key);
  REQUIRE(answer);
  CHECK_FALSE(answer->works);
  CHECK(answer->reason == "did not boot");
  CHECK_FALSE(remembered_answer(text, {"8.0", "6.12", "boot-a"}));
  CHECK_FALSE(remembered_answer(text, {"7.2.22", "7.2", "boot-a"}));
  CHECK_FALSE(remembered_answer(text, {"7.2.22", "6.12", "boot-b"}));
}

TEST_CASE("answers of other kernels stay, those of earlier boots go") {
  std::string text = with_answer("", {"q", "6.12", "old"}, {true, ""});
  text = with_answer(text, {"q", "6.12", "new"}, {true, ""});
  text = with_answer(text, {"q", "7.2", "new"}, {false, "no"});
  CHECK_FALSE(remembered_answer(text, {"q", "6.12", "old"}));
  REQUIRE(remembered_answer(text, {"q", "6.12", "new"}));
  CHECK(remembered_answer(text, {"q", "6.12", "new"})->works);
  REQUIRE(remembered_answer(text, {"q", "7.2", "new"}));
  text = with_answer(text, {"q", "7.2", "new"}, {true, ""});
  CHECK(remembered_answer(text, {"q", "7.2", "new"})->works);
}

TEST_CASE("a damaged memory is no memory") {
  const ProbeKey key{"q", "k", "b"};
  for (const char* text : {"", "{", "[]", R"({"answers":[]})",
                           R"({"answers":{"q | k | b":true}})"}) {
    CHECK_FALSE(remembered_answer(text, key));
    CHECK(remembered_answer(with_answer(text, key, {true, ""}), key));
  }
}
