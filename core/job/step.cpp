// SPDX-License-Identifier: Apache-2.0
#include "job/step.hpp"

#include <cstdio>

#include "job/status.hpp"
#include "plugin/catalog.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/filesystem.hpp"
#include "system/signals.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kOrderLimitNs = 30 * kNsPerSecond;

constexpr const char* kKindNames[] = {"plan", "assemble", "phase", "teardown"};

// Makes an empty folder, whatever was there.
Status fresh_folder(const std::string& path) {
  if (Status gone = remove_tree(path); !gone) return gone;
  return make_directories(path, 0700);
}

StepResult result_of(const Status& status) {
  if (status) return {};
  return {outcome_of(status.error()), status.error().message(), false, 0};
}

// The work of each kind of step, once everything is loaded.
class Step {
 public:
  Step(const StepOrder& order, StepContext& context)
      : order_(order), context_(context) {}

  StepResult run() {
    switch (order_.kind) {
      case StepOrder::Kind::kPlan:
        return result_of(plan());
      case StepOrder::Kind::kAssemble:
        return result_of(assemble());
      case StepOrder::Kind::kPhase:
        return phase();
      case StepOrder::Kind::kTeardown:
        return result_of(teardown());
    }
    return {"failed", "an unknown kind of step", false, 0};
  }

 private:
  Status attach(bool attached) {
    auto stack = StackRuntime::create(context_, order_.record, attached);
    if (!stack) return stack.error();
    stack_ = std::move(stack).value();
    return {};
  }

  Status plan() {
    if (Status made = attach(false); !made) return made;
    auto problems = stack_->plan();
    if (!problems) return problems.error();
    for (const Problem& problem : *problems) {
      context_.session.send("problem", [&](JsonWriter& json) {
        json.field("text", problem.text());
      });
    }
    for (const PhaseUse& use : context_.plan.profile.phases) {
      if (Status done = estimate(use); !done) return done;
    }
    return {};
  }

  Status estimate(const PhaseUse& use) {
    const Plugin* plugin = context_.catalog.phase(use.name);
    Instance phase(context_, *plugin, use.name, use.options, {});
    if (Status made = phase.create(); !made) return made;
    cowbench_estimate sizes{};
    sizes.struct_size = sizeof sizes;
    Status done = phase.call("estimate", [&] {
      return plugin->phase.estimate(phase.self(), &sizes);
    });
    if (!done) return done;
    context_.session.send("estimate", [&](JsonWriter& json) {
      json.field("phase", use.name)
          .field("before_stack",
                 plugin->phase.stage == COWBENCH_STAGE_BEFORE_STACK)
          .field("written_bytes", sizes.written_bytes)
          .field("peak_bytes", sizes.peak_bytes)
          .field("duration_ns", sizes.duration_ns);
    });
    return {};
  }

  Status assemble() {
    if (Status made = attach(false); !made) return made;
    if (Status built = stack_->assemble(); !built) return built;
    stack_->report_versions();
    stack_->report_usage();
    return {};
  }

  Status teardown() {
    if (Status made = attach(true); !made) return made;
    return stack_->disassemble();
  }

  StepResult phase() {
    const Plugin* plugin = context_.catalog.phase(order_.phase);
    const PhaseUse* use = nullptr;
    for (const PhaseUse& one : context_.plan.profile.phases) {
      if (one.name == order_.phase) use = &one;
    }
    if (plugin == nullptr || use == nullptr) {
      return {"not-available", "phase " + order_.phase + " is not loaded",
              false};
    }
    const bool on_stack = plugin->phase.stage == COWBENCH_STAGE_ON_STACK;
    if (on_stack) {
      if (Status made = attach(true); !made) return result_of(made);
      if (Status there = stack_->verify(); !there) return lost(there);
      if (auto missing = missing_ability(*plugin); !missing.empty()) {
        return {"not-applicable", missing, false, 0};
      }
    }
    StepResult result = run_phase(*plugin, *use, on_stack);
    if (on_stack) {
      // A phase that lost its filesystem has measured nothing to be believed.
      if (Status there = stack_->verify(); !there) {
        StepResult ended = lost(there);
        // What the phase met is often what the filesystem was lost by.
        if (!result.reason.empty()) ended.reason += "; " + result.reason;
        return ended;
      }
      stack_->report_usage();
    }
    return result;
  }

  StepResult lost(const Status& status) {
    StepResult result = result_of(status);
    result.outcome = "failed";
    result.stack_lost = true;
    return result;
  }

  std::string missing_ability(const Plugin& plugin) {
    for (const std::string& id : plugin.needed_abilities) {
      const StackRuntime::Found found = stack_->ability(id.c_str());
      if (found.table == nullptr) return found.reason;
    }
    return {};
  }

  StepResult run_phase(const Plugin& plugin, const PhaseUse& use,
                       bool on_stack) {
    std::vector<DeviceView> devices;
    for (const Member& member : context_.members) {
      devices.push_back({member.path, member.group, member.index,
                         member.size_bytes, member.known_blank,
                         member.facts.rotational});
    }
    Instance phase(context_, plugin, use.name, use.options, std::move(devices));
    const std::string base =
        on_stack ? context_.plan.mount_point() : order_.before_stack_folder;
    phase.places.memory_directory =
        context_.plan.memory_folder() + "/" + use.name;
    if (!base.empty()) phase.places.directory = base + "/" + use.name;
    for (const std::string& folder :
         {phase.places.directory, phase.places.memory_directory}) {
      if (folder.empty()) continue;
      if (Status made = fresh_folder(folder); !made) return result_of(made);
    }
    Status done = phase.create();
    if (done) done = phase.call("versions", plugin.phase.versions);
    const std::uint64_t start = now_ns();
    if (done) done = phase.call("run", plugin.phase.run);
    const std::uint64_t run_ns = now_ns() - start;
    if (context_.session.in_section()) context_.session.close_section();
    for (const std::string& folder :
         {phase.places.directory, phase.places.memory_directory}) {
      if (folder.empty()) continue;
      if (Status gone = remove_tree(folder); !gone && done) done = gone;
    }
    StepResult result = result_of(done);
    result.run_ns = run_ns;
    return result;
  }

  const StepOrder& order_;
  StepContext& context_;
  std::unique_ptr<StackRuntime> stack_;
};

Result<StepOrder> receive_order(Channel& channel) {
  auto received = channel.receive_line(kOrderLimitNs);
  if (!received) return received.error();
  if (!received->is_line()) {
    return Error(Category::kInternal, "no order came from the worker");
  }
  return StepOrder::read(received->line);
}

Result<int> run_loaded(int fd, const std::string& plan_path) {
  auto text = read_file(plan_path);
  if (!text) return text.error();
  auto search = JobPlan::read_search(*text);
  if (!search) return search.error();
  const Catalog catalog = Catalog::load(*search);
  auto plan = JobPlan::read(*text, catalog);
  if (!plan) return plan.error();

  Channel channel{UniqueFd(fd)};
  auto order = receive_order(channel);
  if (!order) return order.error();
  Session session(std::move(channel), order->job_started_ns);
  const bool phase = order->kind == StepOrder::Kind::kPhase;
  session.set_place(
      phase ? "phase" : "step",
      phase ? order->phase : kKindNames[static_cast<int>(order->kind)]);

  std::optional<Ledger> ledger;
  if (order->kind != StepOrder::Kind::kPlan) {
    auto opened = Ledger::open(plan->ledger_path);
    if (!opened) return opened.error();
    ledger.emplace(std::move(opened).value());
  }
  StepContext context{
      *plan,   catalog,        session,           ledger ? &*ledger : nullptr,
      nullptr, order->members, order->deadline_ns};
  const StepResult result = Step(*order, context).run();
  session.send("step-result", [&](JsonWriter& json) { result.write(json); });
  return 0;
}

}  // namespace

std::string outcome_of(const Error& error) {
  switch (error.category()) {
    case Category::kCancelled:
      return "interrupted";
    case Category::kNotAvailable:
      return "not-available";
    case Category::kUnsupported:
      return "not-applicable";
    default:
      return "failed";
  }
}

std::string StepOrder::json() const {
  JsonWriter json;
  json.begin_object()
      .field("kind", kKindNames[static_cast<int>(kind)])
      .field("phase", phase)
      .field("job_started_ns", job_started_ns)
      .field("deadline_ns", deadline_ns)
      .field("before_stack_folder", before_stack_folder);
  json.key("members").begin_array();
  for (const Member& member : members) member.write(json);
  json.end_array();
  json.key("record");
  record.write(json);
  return json.end_object().text();
}

Result<StepOrder> StepOrder::read(std::string_view line) {
  auto json = parse_json(line);
  if (!json) return json.error().within("read the worker's order");
  StepOrder order;
  const std::string kind = string_at(*json, "kind");
  for (int i = 0; i < 4; ++i) {
    if (kind == kKindNames[i]) order.kind = static_cast<Kind>(i);
  }
  order.phase = string_at(*json, "phase");
  order.job_started_ns = uint_at(*json, "job_started_ns");
  order.deadline_ns = uint_at(*json, "deadline_ns");
  order.before_stack_folder = string_at(*json, "before_stack_folder");
  if (const JsonValue* members = member_at(*json, "members")) {
    for (const JsonValue& member : members->GetArray()) {
      order.members.push_back(Member::read(member));
    }
  }
  if (const JsonValue* record = member_at(*json, "record")) {
    order.record = StackRecord::read(*record);
  }
  return order;
}

void StepResult::write(JsonWriter& json) const {
  json.field("outcome", outcome)
      .field("reason", reason)
      .field("stack_lost", stack_lost)
      .field("run_ns", run_ns);
}

StepResult StepResult::read(const JsonValue& event) {
  return {string_at(event, "outcome", "failed"), string_at(event, "reason"),
          bool_at(event, "stack_lost"), uint_at(event, "run_ns")};
}

int run_step(int fd, const std::string& plan_path) {
  if (Status ready = install_signal_handlers(); !ready) return 70;
  auto code = run_loaded(fd, plan_path);
  if (code) return *code;
  std::fprintf(stderr, "%s\n", code.error().message().c_str());
  return 70;
}

}  // namespace cowbench
