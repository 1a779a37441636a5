// SPDX-License-Identifier: Apache-2.0
// What a good profile and the command line make together. What makes a bad
// one: corpus_test.cpp.
#include "config/profile.hpp"

#include <catch2/catch.hpp>

#include "vocabulary.hpp"

using cowbench::ConfigValue;
using cowbench::Profile;

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

cowbench::Checked<Profile> check(const std::string& name,
                                 const Overrides& overrides = {}) {
  const std::string path = COWBENCH_FIXTURES "/config/good/" + name + ".json";
  return cowbench::check_profile(cowbench_test::read_file(path), path,
                                 cowbench_test::vocabulary(), overrides);
}

Profile good(const std::string& name, const Overrides& overrides = {}) {
  auto checked = check(name, overrides);
  REQUIRE(checked.index() == 0);
  return std::get<0>(std::move(checked));
}

std::string problems(const cowbench::Checked<Profile>& checked) {
  REQUIRE(checked.index() == 1);
  return cowbench::problems_text(std::get<1>(checked));
}

Names names(const std::vector<cowbench::PhaseUse>& phases) {
  Names names;
  for (const auto& use : phases) names.push_back(use.name);
  return names;
}

Profile selected(const Names& only, const Names& skip,
                 const Overrides& overrides = {}) {
  auto checked =
      cowbench::select_phases(good("profile-complete", overrides), only, skip);
  REQUIRE(checked.index() == 0);
  return std::get<0>(std::move(checked));
}

}  // namespace

TEST_CASE("a profile comes out with every phase's options resolved") {
  const Profile profile = good("profile-complete");
  CHECK(profile.member_bytes == 1073741824);
  CHECK(profile.phase_limit_ns == 300'000'000'000);
  CHECK(names(profile.phases) == Names{"warmup", "stream", "tree"});
  CHECK(names(profile.others) == Names{"replay"});
  CHECK(profile.phases[0].before_stack);
  CHECK_FALSE(profile.phases[1].before_stack);
  CHECK(profile.phases[0].options.at("runtime") ==
        ConfigValue(std::int64_t{500'000'000}));
  const auto& stream = profile.phases[1].options;
  CHECK(stream.at("file_size") == ConfigValue(std::int64_t{1048576}));
  CHECK(stream.at("jobs_extra") == ConfigValue(Names{"8", "16"}));
  CHECK(stream.at("sharded") == ConfigValue(true));
  CHECK(stream.at("ratio") == ConfigValue(1.0));
  CHECK(profile.others[0].options.at("trace") ==
        ConfigValue(std::string("a.trace")));
}

TEST_CASE("phases take defaults where the profile is silent") {
  const Profile profile = good("profile-minimal");
  const auto& stream = profile.phases[0].options;
  CHECK(stream.at("file_size") == ConfigValue(std::int64_t{64 << 20}));
  CHECK(stream.at("jobs_extra") == ConfigValue(Names{}));
  CHECK(stream.count("ratio") == 0);
}

TEST_CASE("overrides come last and the last one for a key counts") {
  const Profile profile =
      good("profile-complete", {{"member_size", "2GiB"},
                                {"phase_time_limit", "90s"},
                                {"stream.file_size", "1GiB"},
                                {"stream.file_size", "2GiB"},
                                {"stream.jobs_extra", ""},
                                {"replay.trace", "b.trace"}});
  CHECK(profile.member_bytes == 2147483648);
  CHECK(profile.phase_limit_ns == 90'000'000'000);
  CHECK(profile.phases[1].options.at("file_size") ==
        ConfigValue(std::int64_t{2147483648}));
  CHECK(profile.phases[1].options.at("jobs_extra") == ConfigValue(Names{}));
  CHECK(profile.others[0].options.at("trace") ==
        ConfigValue(std::string("b.trace")));
}

TEST_CASE("every bad override is a problem of the command line") {
  CHECK(problems(check("profile-minimal", {{"member_sise", "1GiB"},
                                           {"member_size", "1 byte"},
                                           {"steam.file_size", "1GiB"},
                                           {"stream.file_sice", "1GiB"},
                                           {"stream.sharded", "maybe"},
                                           {"stream.runtime", "1ms"}})) ==
        "--set: member_sise=1GiB: expected member_size, phase_time_limit or "
        "<phase>.<option>, found \"member_sise\" (did you mean "
        "\"member_size\"?)\n"
        "--set: member_size=1 byte: \"1 byte\" is not a size: the unit must be "
        "one of B, KiB, MiB, GiB, TiB, PiB\n"
        "--set: steam.file_size=1GiB: no plugin offers a phase \"steam\" (did "
        "you mean \"stream\"?); phases: replay, stream, tree, warmup\n"
        "--set: stream.file_sice=1GiB: phase \"stream\" has no option "
        "\"file_sice\" (did you mean \"file_size\"?); options: file_size, "
        "runtime, jobs_extra, sharded, ratio\n"
        "--set: stream.sharded=maybe: expected true or false, found "
        "\"maybe\"\n"
        "--set: stream.runtime=1ms: \"1ms\" is out of bounds: it must be from "
        "100ms to 1h\n");
}

TEST_CASE("an override can give what a listed phase requires") {
  const std::string text = R"({
    "name": "p", "summary": "s", "phases": ["replay"],
    "member_size": {"value": "1GiB", "why": "w"},
    "phase_time_limit": {"value": "1min", "why": "w"} })";
  const auto vocabulary = cowbench_test::vocabulary();
  CHECK(cowbench::check_profile(text, "p.json", vocabulary, {}).index() == 1);
  CHECK(cowbench::check_profile(text, "p.json", vocabulary,
                                {{"replay.trace", "t"}})
            .index() == 0);
}

TEST_CASE("phases can be chosen and skipped") {
  CHECK(names(selected({}, {}).phases) == Names{"warmup", "stream", "tree"});
  CHECK(names(selected({}, {"stream"}).phases) == Names{"warmup", "tree"});
  CHECK(names(selected({}, {"stream"}).others) == Names{"replay", "stream"});
  CHECK(names(selected({"tree", "stream"}, {}).phases) ==
        Names{"tree", "stream"});
  CHECK(names(selected({"replay", "tree"}, {}).phases) ==
        Names{"replay", "tree"});
  CHECK(names(selected({"tree", "tree", "warmup"}, {"warmup"}).phases) ==
        Names{"tree"});
}

TEST_CASE("a chosen phase that runs before the stack comes first") {
  auto checked = cowbench::select_phases(good("profile-minimal"),
                                         {"stream", "tree", "warmup"}, {});
  REQUIRE(checked.index() == 0);
  CHECK(names(std::get<0>(checked).phases) ==
        Names{"warmup", "stream", "tree"});
}

TEST_CASE("a choice that cannot be is refused with all reasons") {
  CHECK(problems(cowbench::select_phases(good("profile-minimal"), {"steam"},
                                         {"three"})) ==
        "--phases: no plugin offers a phase \"steam\" (did you mean "
        "\"stream\"?); phases: replay, stream, tree, warmup\n"
        "--skip: no plugin offers a phase \"three\" (did you mean \"tree\"?); "
        "phases: replay, stream, tree, warmup\n");
  CHECK(problems(
            cowbench::select_phases(good("profile-minimal"), {"replay"}, {})) ==
        "--phases: the key \"replay.trace\" is missing: text; for tests\n");
  CHECK(problems(
            cowbench::select_phases(good("profile-minimal"), {}, {"stream"})) ==
        "--skip: no phase is left to run\n");
}
