// SPDX-License-Identifier: Apache-2.0
#include "vm/qemu_command.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/json.hpp"
#include "vm/guest_machine.hpp"

using namespace cowbench;

namespace {

GuestMachine small_machine() {
  GuestMachine machine;
  machine.memory_mib = 1024;
  machine.cpus = 2;
  machine.vmlinuz = "/c/vmlinuz";
  machine.initrd = "/c/initrd";
  machine.command_line = {"quiet", "panic=-1"};
  machine.own_disks = {{"root", "/c/root.erofs", true, 0, 0}};
  machine.member_disks = {{"data0", "/w/data0.img", false, 0, 0}};
  machine.console_path = "/r/console.txt";
  return machine;
}

// The values that follow this option.
std::vector<std::string> values(const std::vector<std::string>& argv,
                                const std::string& option) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i + 1 < argv.size(); ++i) {
    if (argv[i] == option) found.push_back(argv[i + 1]);
  }
  return found;
}

bool has(const std::vector<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(), [&](const std::string& text) {
    return text.find(part) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a machine has nothing that was not asked for") {
  const auto argv = qemu_command(small_machine());
  CHECK(argv.front() == "qemu-system-x86_64");
  for (const char* word : {"-nodefaults", "-no-user-config", "-no-reboot"}) {
    CHECK(std::count(argv.begin(), argv.end(), word) == 1);
  }
  CHECK_FALSE(has(argv, "net"));
  CHECK(values(argv, "-append") == std::vector<std::string>{"quiet panic=-1"});
  CHECK(values(argv, "-m") == std::vector<std::string>{"1024"});
}

TEST_CASE("the accelerator decides the processor") {
  GuestMachine machine = small_machine();
  CHECK(values(qemu_command(machine), "-cpu") ==
        std::vector<std::string>{"max"});
  CHECK(values(qemu_command(machine), "-accel")[0].starts_with("tcg"));
  machine.accelerator = "kvm";
  CHECK(values(qemu_command(machine), "-accel") ==
        std::vector<std::string>{"kvm"});
  CHECK(values(qemu_command(machine), "-cpu") ==
        std::vector<std::string>{"host"});
}

TEST_CASE("members share one cache mode, discard, and have serials") {
  const auto argv = qemu_command(small_machine());
  for (const std::string& text : values(argv, "-blockdev")) {
    auto json = parse_json(text);
    REQUIRE(json);
    const JsonValue* cache = member_at(*json, "cache");
    REQUIRE(cache != nullptr);
    CHECK_FALSE(bool_at(*cache, "direct", true));
    CHECK_FALSE(bool_at(*cache, "no-flush", true));
    const bool member = string_at(*json, "node-name").starts_with("disk1");
    CHECK(bool_at(*json, "read-only") == !member);
    CHECK(string_at(*json, "discard") == (member ? "unmap" : "ignore"));
  }
  const auto devices = values(argv, "-device");
  CHECK(has(devices,
            "drive=disk1-raw,serial=data0,num-queues=2,iothread="
            "disk1-thread,write-cache=on,werror=enospc"));
  CHECK(has(devices, "drive=disk0-raw,serial=root"));
}

TEST_CASE("a throttled member has a group of its own without bursts") {
  GuestMachine machine = small_machine();
  machine.member_disks[0].iops = 150;
  machine.member_disks[0].bytes_per_second = 100000000;
  const auto argv = qemu_command(machine);
  const auto objects = values(argv, "-object");
  const auto group =
      std::find_if(objects.begin(), objects.end(), [](const auto& text) {
        return text.find("throttle-group") != std::string::npos;
      });
  REQUIRE(group != objects.end());
  auto json = parse_json(*group);
  REQUIRE(json);
  const JsonValue* limits = member_at(*json, "limits");
  REQUIRE(limits != nullptr);
  CHECK(uint_at(*limits, "iops-total") == 150);
  CHECK(uint_at(*limits, "iops-total-max") == 150);
  CHECK(uint_at(*limits, "bps-total") == 100000000);
  CHECK(has(values(argv, "-device"), "drive=disk1-throttle,serial=data0"));
}

TEST_CASE("a comma in a path does not end its option") {
  GuestMachine machine = small_machine();
  machine.console_path = "/r/a,b/console";
  machine.member_disks[0].image = "/w/x,readonly=on/\"q\".img";
  machine.shares = {{"payload", "/p,q", "/payload", true}};
  const auto argv = qemu_command(machine);
  CHECK(has(values(argv, "-chardev"), "path=/r/a,,b/console"));
  CHECK(has(values(argv, "-fsdev"), "path=/p,,q,security_model=none"));
  CHECK(has(values(argv, "-fsdev"), "readonly=on"));
  bool found = false;
  for (const std::string& text : values(argv, "-blockdev")) {
    auto json = parse_json(text);
    REQUIRE(json);
    found =
        found || string_at(*json, "filename") == machine.member_disks[0].image;
  }
  CHECK(found);
}

TEST_CASE("channels are there when they have a descriptor") {
  GuestMachine machine = small_machine();
  CHECK_FALSE(has(qemu_command(machine), "socket"));
  machine.control_fd = 7;
  machine.port_fd = 8;
  const auto argv = qemu_command(machine);
  CHECK(has(argv, "socket,id=control,fd=7"));
  CHECK(has(argv, "socket,id=port,fd=8"));
  CHECK(has(argv, "virtserialport,chardev=port,name=cowbench"));
}

TEST_CASE("a guest's kernel is told how to end and what to load") {
  GuestImage image;
  image.command_line = {"mitigations=off"};
  image.modprobe = {"a", "b"};
  const GuestMachine machine = guest_machine(image, {"cowbench.mode=job"});
  const auto& words = machine.command_line;
  CHECK(std::count(words.begin(), words.end(), "panic=-1") == 1);
  CHECK(std::count(words.begin(), words.end(), "mitigations=off") == 1);
  CHECK(std::count(words.begin(), words.end(), "cowbench.modprobe=a,b") == 1);
  CHECK(words.back() == "cowbench.mode=job");
  REQUIRE(machine.own_disks.size() == 2);
  CHECK(machine.own_disks[0].serial == "root");
  CHECK(machine.own_disks[1].serial == "modules");
}
