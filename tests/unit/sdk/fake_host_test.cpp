// SPDX-License-Identifier: Apache-2.0
// The fake host, by way of the SDK's own wrapper: each test is also one of
// cowbench::Host.
#include <catch2/catch.hpp>
#include <cmath>
#include <cowbench/phase.hpp>
#include <cowbench/testing/fake_host.hpp>
#include <limits>

using namespace cowbench;
using cowbench::testing::FakeHost;

namespace {

constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_SIZE, "file_size", "64MiB", "x"),
    option(COWBENCH_TYPE_DURATION, "run_time", "30", "x"),
    option(COWBENCH_TYPE_DURATION, "period", "200ms", "x"),
    option(COWBENCH_TYPE_INTEGER, "jobs", "4", "x"),
    option(COWBENCH_TYPE_BOOLEAN, "direct", "true", "x"),
    option(COWBENCH_TYPE_NUMBER, "share", "0.5", "x"),
    option(COWBENCH_TYPE_TEXT_LIST, "modes", "read,write", "x"),
    choice("engine", nullptr, "a|b", "x"),
};
constexpr cowbench_metric kMetrics[] = {
    metric("first_ms", "ms", COWBENCH_LOWER_IS_BETTER, "First", "The first."),
    metric("second_ms", "ms", COWBENCH_LOWER_IS_BETTER, "Second", "Another."),
};

class Sample : public Phase {
 public:
  static constexpr PhaseInfo info() {
    return {{"org.example.sample", "sample", "1.0", "x"},
            COWBENCH_STAGE_ON_STACK,
            kMetrics,
            kOptions};
  }
  using Phase::Phase;
  Estimate estimate() override { return {}; }
  void run() override {
    host().quiesce();
    Host::Section section(host(), "first");
    const cowbench_io io = section.close();
    host().emit("first_ms", static_cast<double>(io.read_bytes));
  }
};

cowbench_status thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.status();
  }
  return COWBENCH_OK;
}

}  // namespace

TEST_CASE("described defaults are read by their types") {
  FakeHost fake;
  fake.describe<Sample>();
  const Host host = fake.host();
  CHECK(host.amount("file_size") == 64U << 20);
  CHECK(host.amount("run_time") == 30'000'000'000U);
  CHECK(host.amount("period") == 200'000'000U);
  CHECK(host.integer("jobs") == 4);
  CHECK(host.boolean("direct"));
  CHECK(host.number("share") == 0.5);
  CHECK(host.text_list("modes") == std::vector<std::string>{"read", "write"});
  CHECK_FALSE(host.has("engine"));
  CHECK(host.text("engine").empty());
  fake.set("engine", "b");
  fake.set("jobs", std::numeric_limits<std::int64_t>::max());
  CHECK(host.text("engine") == "b");
  CHECK(host.integer("jobs") == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("a phase is driven and what it emits is kept") {
  FakeHost fake;
  fake.describe<Sample>();
  fake.section_io = [](const std::string& name) {
    cowbench_io io{};
    io.read_bytes = name == "first" ? 4096 : 0;
    return io;
  };
  Sample(fake.host()).run();
  CHECK(fake.figure("first_ms") == 4096);
  CHECK(fake.quiesces == 1);
  CHECK(fake.missing_metrics() == std::vector<std::string>{"second_ms"});
  CHECK_THROWS_AS(fake.figure("second_ms"), Error);
  CHECK(fake.breaches.empty());
}

TEST_CASE("values keep their samples and conditions") {
  FakeHost fake;
  Value value;
  value.key = "x";
  value.value = 2;
  value.samples = {1, 2, 3};
  value.conditions = {{"jobs", "4"}};
  value.observations = 99;
  fake.host().emit(value);
  fake.host().emit_absent("y", COWBENCH_OUTCOME_WITHHELD, "too few");
  REQUIRE(fake.value("x") != nullptr);
  CHECK(fake.value("x")->samples.size() == 3);
  CHECK(fake.value("x")->conditions.front().second == "4");
  CHECK(fake.value("x")->observations == 99);
  CHECK(fake.value("y")->reason == "too few");
  CHECK_THROWS_AS(fake.figure("y"), Error);
}

TEST_CASE("breaches of the contract are refused and listed") {
  FakeHost fake;
  fake.describe<Sample>();
  const Host host = fake.host();
  CHECK(thrown_by([&] { host.emit("third_ms", 1); }) == COWBENCH_INTERNAL);
  CHECK(thrown_by([&] { host.emit("first_ms", NAN); }) == COWBENCH_INTERNAL);
  host.emit("first_ms", 1);
  CHECK(thrown_by([&] { host.emit("first_ms", 1); }) == COWBENCH_INTERNAL);
  CHECK(thrown_by([&] {
          host.emit_absent("second_ms", COWBENCH_OUTCOME_FAILED, "");
        }) == COWBENCH_INTERNAL);
  {
    const Host::Section section(host, "outer");
    CHECK(thrown_by([&] { host.emit("second_ms", 1); }) == COWBENCH_INTERNAL);
    CHECK(thrown_by([&] { host.quiesce(); }) == COWBENCH_INTERNAL);
    CHECK(thrown_by([&] { Host::Section(host, "inner"); }) ==
          COWBENCH_INTERNAL);
  }
  CHECK(fake.breaches ==
        std::vector<std::string>{
            "not declared: third_ms", "not a finite number: first_ms",
            "emitted twice: first_ms", "no figure and no reason: second_ms",
            "emitted inside a section: second_ms", "quiesce inside a section",
            "sections do not nest"});
}

TEST_CASE("commands are answered by their longest beginning") {
  FakeHost fake;
  fake.reply("tool", FakeHost::exits(0, "any\n"));
  fake.reply("tool --fail", FakeHost::exits(3, "", "it broke\n"));
  fake.reply_not_installed("absent");
  const Host host = fake.host();
  CHECK(host.run_checked({"tool", "--version"}) == "any\n");
  CHECK(host.run({"tool", "--fail", "x"}).exit_status == 3);
  CHECK_THROWS_WITH(host.run_checked({"tool", "--fail"}),
                    "\"tool --fail\" exited with 3: it broke\n");
  CHECK(thrown_by([&] { host.run({"absent"}); }) == COWBENCH_NOT_AVAILABLE);
  CHECK(host.run({"other"}).succeeded());
  CHECK(thrown_by([&] { host.run(std::vector<std::string>{}); }) ==
        COWBENCH_INTERNAL);
  CHECK(fake.command_lines() ==
        std::vector<std::string>{"tool --version", "tool --fail x",
                                 "tool --fail", "absent", "other"});
}

TEST_CASE("a background command is waited for or stopped once") {
  FakeHost fake;
  fake.reply("flood", FakeHost::exits(0, "done"));
  const Host host = fake.host();
  Command command;
  command.argv = {"flood"};
  const std::uint64_t first = host.start(command);
  const std::uint64_t second = host.start(command);
  CHECK(host.wait(first, 0)->out == "done");
  CHECK(host.stop(second).stopped);
  CHECK(thrown_by([&] { host.stop(second); }) == COWBENCH_INTERNAL);
}

TEST_CASE("state, ledger, mounts and outputs are kept") {
  FakeHost fake;
  fake.add_device("/dev/a", 4096);
  fake.add_device("/dev/b", 8192, "spare");
  const Host host = fake.host();
  REQUIRE(host.devices().size() == 2);
  CHECK(std::string(host.devices()[1]->group) == "spare");
  CHECK(host.devices()[1]->index == 1);

  host.set_state("uuid", "42");
  CHECK(host.state("uuid") == "42");
  const std::uint64_t ticket =
      host.ledger_add("pool", "p1", {"pool", "status"}, {"pool", "destroy"});
  CHECK(fake.open_ledger() == std::vector<std::string>{"p1"});
  host.ledger_strike(ticket);
  CHECK(fake.open_ledger().empty());
  host.mount("/dev/a", "thatfs", "noatime");
  CHECK(fake.mounts.at(fake.mount_point).options == "noatime");
  host.unmount();
  CHECK(fake.mounts.empty());
  host.add_output("/dev/mapper/x", 4096, 0);
  CHECK(fake.outputs.front().path == "/dev/mapper/x");
}

TEST_CASE("cancellation and unrest reach the plugin") {
  FakeHost fake;
  fake.members_rest = false;
  CHECK_FALSE(fake.host().quiesce());
  CHECK_NOTHROW(fake.host().throw_if_stopped());
  fake.stop = true;
  CHECK(thrown_by([&] { fake.host().throw_if_stopped(); }) ==
        COWBENCH_CANCELLED);
}

TEST_CASE("cold passes are proven by what the members read") {
  FakeHost fake;
  fake.cold_floor_bytes = 1000;
  cowbench_io io{};
  io.read_bytes = 949;
  CHECK_FALSE(prove_cold_data(io, 1000).cold);
  CHECK_FALSE(prove_cold_metadata(fake.host(), io, 10, true).cold);
  io.read_bytes = 1000;
  CHECK(prove_cold_data(io, 1000).cold);
  CHECK(prove_cold_metadata(fake.host(), io, 10, true).cold);
  fake.cold_floor_bytes = 0;
  io.read_bytes = 0;
  CHECK_FALSE(prove_cold_metadata(fake.host(), io, 10, true).cold);
}
