// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "job/run_plan.hpp"
#include "job/step.hpp"
#include "job/step_process.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/system_error.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kPreviewLimitNs = 30 * kNsPerSecond;

// Removed with its content at the end of scope.
struct TemporaryFolder {
  std::string path;
  ~TemporaryFolder() {
    if (!path.empty()) (void)remove_tree(path);
  }
};

Result<std::string> make_temporary_folder() {
  const char* base = std::getenv("TMPDIR");
  std::string path =
      std::string(base == nullptr || *base == '\0' ? "/tmp" : base) +
      "/cowbench-plan-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return system_error("make a folder", path, errno);
  }
  return path;
}

StepOrder planning_order(const JobPlan& job) {
  StepOrder order;
  order.kind = StepOrder::Kind::kPlan;
  order.job_started_ns = now_ns();
  for (const MemberPlan& plan : job.members) {
    Member member;
    member.name = plan.name();
    member.group = plan.group;
    member.index = plan.index;
    // Nobody can take the placeholder of a loop device for a device.
    member.path = plan.device.empty() ? "<" + plan.name() + ">" : plan.device;
    member.size_bytes = plan.size_bytes;
    member.known_blank = plan.device.empty();
    order.members.push_back(std::move(member));
  }
  return order;
}

void take_in(const JsonValue& event, StackPreview& preview, Problems& problems,
             std::optional<StepResult>& result) {
  const std::string type = string_at(event, "type");
  if (type == "problem") {
    problems.push_back({"", 0, "", string_at(event, "text")});
  } else if (type == "planned-command") {
    preview.commands.push_back(string_at(event, "line"));
  } else if (type == "estimate") {
    preview.phases.push_back(
        {string_at(event, "phase"), bool_at(event, "before_stack"),
         uint_at(event, "written_bytes"), uint_at(event, "peak_bytes"),
         uint_at(event, "duration_ns")});
  } else if (type == "step-result") {
    result = StepResult::read(event);
  }
}

}  // namespace

Status preview_job(const JobPlan& job, StackPreview& preview,
                   Problems& problems) {
  auto folder = make_temporary_folder();
  if (!folder) return folder.error();
  const TemporaryFolder temporary{*folder};
  const std::string plan_path = *folder + "/plan.json";
  if (Status saved = write_file_durable(plan_path, job.json()); !saved) {
    return saved;
  }
  auto child = start_child({kStepCommand, plan_path, {}, {}, false});
  if (!child) return child.error();
  (void)child->channel.send_line(planning_order(job).json());
  const std::uint64_t deadline = now_ns() + kPreviewLimitNs;
  std::optional<StepResult> result;
  while (!result && now_ns() < deadline) {
    auto received = child->channel.receive_line(kNsPerSecond);
    if (!received || received->closed()) break;
    if (!received->is_line()) continue;
    auto event = parse_json(received->line);
    if (event) take_in(*event, preview, problems, result);
  }
  const CommandResult ended = child->process.wait(kNsPerSecond);
  if (!result) {
    return Error(Category::kInternal, "plan " + job.stack.name +
                                          ": the plugins' process ended (" +
                                          ended.ending() + ") " + ended.err);
  }
  if (result->outcome != "ok") {
    return Error(Category::kUsage,
                 "plan " + job.stack.name + ": " + result->reason);
  }
  return {};
}

}  // namespace cowbench
