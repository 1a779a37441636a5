// SPDX-License-Identifier: Apache-2.0
#include "report/conditions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

std::string fact(const ResultDocument& document, const std::string& name) {
  for (const Fact& one : facts_of(document)) {
    if (one.name == name) return one.value;
  }
  return "(none)";
}

}  // namespace

TEST_CASE("the machine is described in one line") {
  CHECK(machine_text(sample("ok")) ==
        "Example CPU 3000, 2 cores, 23.5 GiB of memory, kernel "
        "6.1.0-27-amd64, Debian GNU/Linux 12 (bookworm), x86_64, "
        "virtualisation kvm");
}

TEST_CASE("like members of a group are counted") {
  CHECK(members_text(sample("ok")) ==
        "data: 2 x 1 GiB loop (on overlay, direct I/O on)");
}

TEST_CASE("members that differ are told apart") {
  const ResultDocument document =
      sample("ok", {{"\"index\":1,\"path\":\"/dev/loop1\","
                     "\"size_bytes\":1073741824",
                     "\"index\":1,\"path\":\"/dev/loop1\","
                     "\"size_bytes\":2147483648"},
                    {"\"rotational\":false", "\"rotational\":true"},
                    {"\"memory_backed\":false", "\"memory_backed\":true"}});
  CHECK(members_text(document) ==
        "data: 1 x 1 GiB loop (on overlay, in memory, direct I/O on); "
        "data: 1 x 2 GiB loop (on overlay, in memory, direct I/O on)");
}

TEST_CASE("what was not recorded is unknown") {
  const ResultDocument document =
      sample("ok", {{"\"type\":\"environment\"", "\"type\":\"x\""},
                    {"\"type\":\"members\"", "\"type\":\"y\""}});
  CHECK(machine_text(document) == "unknown");
  CHECK(members_text(document) == "unknown");
  CHECK(fact(document, "kernel") == "(none)");
  CHECK(fact(document, "members") == "(none)");
}

TEST_CASE("facts cover machine and settings and method and stack") {
  const ResultDocument document = sample("ok");
  CHECK(fact(document, "kernel") == "6.1.0-27-amd64");
  CHECK(fact(document, "profile") == "smoke");
  CHECK(fact(document, "throughput.file_size") == "67108864");
  CHECK(fact(document, "method of throughput.seqwrite_mbps") == "2");
  CHECK(fact(document, "a.data") == "mirror");
}

TEST_CASE("what ran before a phase is a fact of its settings") {
  const ResultDocument document = sample("ok");
  CHECK(fact(document, "phases before throughput") == "none");
  CHECK(fact(document, "phases before sourcetree") == "throughput");
  CHECK(fact(document, "phases before largedir") == "(none)");
}

TEST_CASE("versions of tools are facts and conditions are not") {
  const ResultDocument document = sample("ok");
  CHECK(fact(document, "version of generator") == "3.33");
  for (const Fact& one : facts_of(document)) {
    CAPTURE(one.name);
    CHECK(one.name.find("written_bytes") == std::string::npos);
  }
}

TEST_CASE("a limit of zero is no limit") {
  const ResultDocument document =
      sample("ok", {{"\"cgroup_memory_bytes\":null,\"cgroup_cpus\":null",
                     "\"cgroup_memory_bytes\":0,\"cgroup_cpus\":0.0"}});
  CHECK(machine_text(document) == machine_text(sample("ok")));
  const ResultDocument limited =
      sample("ok", {{"\"cgroup_memory_bytes\":null,\"cgroup_cpus\":null",
                     "\"cgroup_memory_bytes\":1073741824,"
                     "\"cgroup_cpus\":1.5"}});
  CHECK_THAT(machine_text(limited),
             Catch::Contains("limited to 1 GiB, limited to 1.5 processors"));
}
