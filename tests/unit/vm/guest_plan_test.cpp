// SPDX-License-Identifier: Apache-2.0
#include "vm/guest_plan.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

using namespace cowbench;

namespace {

MemberPlan member(const std::string& group, std::uint32_t index,
                  const std::string& model) {
  MemberPlan plan;
  plan.group = group;
  plan.index = index;
  plan.size_bytes = 1U << 20U;
  plan.disk.emplace();
  plan.disk->model = model;
  return plan;
}

RunPlan run_with(std::vector<MemberPlan> members) {
  RunPlan run;
  run.store_type = "ext4";
  JobPlan job;
  job.stack.name = "s";
  job.image_folder = "/w/job";
  job.members = std::move(members);
  run.jobs.push_back(job);
  return run;
}

struct Folder {
  std::string path = "/tmp/cowbench-unit-XXXXXX";
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("members get serials, images and the limits of their model") {
  RunPlan run = run_with({member("data", 0, "hdd"), member("data", 1, "nvme"),
                          member("spare", 0, "")});
  REQUIRE(plan_disks(run, {{"hdd", {150, 100}}, {"nvme", {0, 0}}}));
  const auto& members = run.jobs[0].members;
  CHECK(members[0].disk->serial == "data0");
  CHECK(members[0].disk->image == "/w/job/data0.img");
  CHECK(members[0].disk->iops == 150);
  CHECK(members[0].disk->bytes_per_second == 100);
  CHECK(members[0].disk->filesystem == "ext4");
  CHECK(members[1].disk->iops == 0);
  CHECK(members[2].disk->serial == "spare0");
}

TEST_CASE("a name too long for a serial is replaced, and never twice") {
  RunPlan run = run_with({member("a-very-long-group-name", 0, ""),
                          member("a-very-long-group-name", 1, "")});
  REQUIRE(plan_disks(run, {}));
  CHECK(run.jobs[0].members[0].disk->serial == "member0");
  CHECK(run.jobs[0].members[1].disk->serial == "member1");
}

TEST_CASE("what a guest cannot have is refused") {
  RunPlan unknown = run_with({member("data", 0, "tape")});
  const Status refused = plan_disks(unknown, {{"hdd", {}}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("tape") != std::string::npos);

  std::vector<MemberPlan> many;
  for (std::uint32_t i = 0; i <= kMaximumMemberDisks; ++i) {
    many.push_back(member("data", i, ""));
  }
  RunPlan run = run_with(std::move(many));
  CHECK_FALSE(plan_disks(run, {}));
}

TEST_CASE("inside a guest every path is one of the guest") {
  const Folder other;
  const Folder tree;
  std::filesystem::create_directories(tree.path + "/lib/plugins");
  JobPlan plan;
  plan.job_id = "j";
  plan.guest.name = "g";
  plan.ledger_path = "/var/lib/x/ledgers/j.jsonl";
  plan.run_folder = "/var/lib/x/run/j";
  plan.image_folder = "/w/j";
  plan.result_folder = "/home/me/results/j";
  plan.plugins.directories = {other.path, other.path,
                              tree.path + "/lib/plugins", "/not/there"};
  plan.plugins.files = {other.path + "/one.so"};
  const GuestLayout layout = lay_out(plan, tree.path + "/bin/cowbench");
  CHECK(layout.program == "/payload/bin/cowbench");
  const JobPlan& inside = layout.plan;
  CHECK(inside.job_id == "j");
  CHECK(inside.ledger_path == "/run/cowbench/ledger.jsonl");
  CHECK(inside.run_folder == "/run/cowbench/job");
  CHECK(inside.result_folder == "/exchange/result");
  REQUIRE(inside.plugins.directories.size() == 3);
  CHECK(inside.plugins.directories[0] == "/plugins1");
  CHECK(inside.plugins.directories[1] == "/plugins1");
  CHECK(inside.plugins.directories[2] == "/payload/lib/plugins");
  CHECK(inside.plugins.files[0] == "/plugins1/one.so");
  CHECK(mounts_text(layout.shares) ==
        "payload /payload ro\nplugins1 /plugins1 ro\n"
        "artifacts /exchange/result/raw rw\n");
  CHECK(layout.shares.back().folder == "/home/me/results/j/raw");
}

TEST_CASE("a shared folder has the same path in the guest") {
  Folder made;
  const auto shares = same_path_shares({made.path + "/", "/usr/share"});
  REQUIRE(shares);
  CHECK(mounts_text(*shares) ==
        "share0 " + made.path + " ro\nshare1 /usr/share ro\n");
}

TEST_CASE("folders that cannot be shared are refused, all at once") {
  Folder made;
  const std::string blank = made.path + "/a b";
  std::filesystem::create_directory(blank);
  const auto shares =
      same_path_shares({"tmp", "/", "/usr", "/no/such", "/proc/version", blank,
                        made.path, made.path + "/."});
  REQUIRE_FALSE(shares);
  CHECK(shares.error().category() == Category::kUsage);
  CHECK(shares.error().message() ==
        "tmp: not the absolute path of a folder\n"
        "/: would hide a folder of the guest; give one below it\n"
        "/usr: would hide a folder of the guest; give one below it\n"
        "/no/such: not the absolute path of a folder\n"
        "/proc/version: not the absolute path of a folder\n" +
            blank + ": white space in a path cannot be handed to the guest\n" +
            made.path + "/.: given twice");
}
