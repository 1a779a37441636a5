// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "config/profile.hpp"
#include "vocabulary.hpp"

using cowbench::ConfigValue;
using cowbench::OptionSpec;
using cowbench::OptionType;
using cowbench_test::choice;
using cowbench_test::option;

namespace {

ConfigValue parsed(const OptionSpec& spec, std::string_view text) {
  const auto result = cowbench::parse_option(spec, text);
  INFO((result.index() == 0 ? "" : std::get<1>(result)));
  REQUIRE(result.index() == 0);
  return std::get<0>(result);
}

std::string refused(const OptionSpec& spec, std::string_view text) {
  const auto result = cowbench::parse_option(spec, text);
  REQUIRE(result.index() == 1);
  return std::get<1>(result);
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("text becomes the value that the option's type says") {
  CHECK(parsed(option(OptionType::kText, "k"), " as it is ") ==
        ConfigValue(std::string(" as it is ")));
  CHECK(parsed(option(OptionType::kBoolean, "k"), "true") == ConfigValue(true));
  CHECK(parsed(option(OptionType::kInteger, "k"), "-7") ==
        ConfigValue(std::int64_t{-7}));
  CHECK(parsed(option(OptionType::kNumber, "k"), "1.5e2") ==
        ConfigValue(150.0));
  CHECK(parsed(option(OptionType::kSize, "k"), "1.5MiB") ==
        ConfigValue(std::int64_t{1572864}));
  CHECK(parsed(option(OptionType::kDuration, "k"), "200ms") ==
        ConfigValue(std::int64_t{200'000'000}));
  CHECK(parsed(option(OptionType::kTextList, "k"), "8, 16") ==
        ConfigValue(Words{"8", "16"}));
  CHECK(parsed(option(OptionType::kTextList, "k"), "") == ConfigValue(Words{}));
}

TEST_CASE("text of the wrong type says what is expected") {
  CHECK(refused(option(OptionType::kBoolean, "k"), "yes") ==
        "expected true or false, found \"yes\"");
  CHECK(refused(option(OptionType::kInteger, "k"), "1.5") ==
        "expected a whole number, found \"1.5\"");
  CHECK(refused(option(OptionType::kInteger, "k"), "99999999999999999999") ==
        "expected a whole number, found \"99999999999999999999\"");
  CHECK(refused(option(OptionType::kNumber, "k"), "inf") ==
        "expected a number, found \"inf\"");
  CHECK(refused(option(OptionType::kNumber, "k"), "") ==
        "expected a number, found \"\"");
  CHECK(refused(option(OptionType::kSize, "k"), "-1") ==
        "\"-1\" is not a size (examples: 512, 4KiB, 16GiB)");
  CHECK(refused(option(OptionType::kTextList, "k"), "8,,16") ==
        "expected words with a comma between, found \"8,,16\"");
}

TEST_CASE("bounds are inclusive and shown in the option's unit") {
  const OptionSpec size = option(OptionType::kSize, "k", 4096, 1 << 20);
  CHECK(parsed(size, "4096") == ConfigValue(std::int64_t{4096}));
  CHECK(parsed(size, "1MiB") == ConfigValue(std::int64_t{1 << 20}));
  CHECK(refused(size, "4095") ==
        "\"4095\" is out of bounds: it must be from 4KiB to 1MiB");
  CHECK(refused(option(OptionType::kDuration, "k", 1.5e9, 3.6e12), "2h") ==
        "\"2h\" is out of bounds: it must be from 1500ms to 1h");
  CHECK(refused(option(OptionType::kNumber, "k", -0.5, 0.5), "0.75") ==
        "\"0.75\" is out of bounds: it must be from -0.5 to 0.5");
  CHECK(refused(option(OptionType::kInteger, "k", -5, 0), "1") ==
        "\"1\" is out of bounds: it must be from -5 to 0");
  CHECK(refused(option(OptionType::kInteger, "k", 3, 0), "2") ==
        "\"2\" is out of bounds: it must be at least 3");
  CHECK(parsed(option(OptionType::kInteger, "k", 3, 0), "1000") ==
        ConfigValue(std::int64_t{1000}));
}

TEST_CASE("only allowed words pass and the nearest is named") {
  CHECK(refused(choice("k", {"raid1", "single"}), "riad1") ==
        "unknown value \"riad1\" (did you mean \"raid1\"?); allowed: raid1, "
        "single");
  OptionSpec list = option(OptionType::kTextList, "k");
  list.allowed = {"8", "16"};
  CHECK(parsed(list, "16,8") == ConfigValue(Words{"16", "8"}));
  CHECK(refused(list, "8,32") == "unknown word \"32\"; allowed: 8, 16");
  OptionSpec size = option(OptionType::kSize, "k");
  size.allowed = {"4KiB", "64KiB"};
  CHECK(parsed(size, "4096") == ConfigValue(std::int64_t{4096}));
  CHECK(refused(size, "8KiB") ==
        "unknown value \"8KiB\"; allowed: 4KiB, 64KiB");
}

TEST_CASE("values are written as JSON for results") {
  using cowbench::config_value_json;
  CHECK(config_value_json(std::string("a\"b")) == R"("a\"b")");
  CHECK(config_value_json(true) == "true");
  CHECK(config_value_json(std::int64_t{64 << 20}) == "67108864");
  CHECK(config_value_json(0.5) == "0.5");
  CHECK(config_value_json(Words{"a", "b"}) == R"(["a","b"])");
}
