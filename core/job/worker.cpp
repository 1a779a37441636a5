// SPDX-License-Identifier: Apache-2.0
#include "job/worker.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <optional>

#include "base/text.hpp"
#include "base/units.hpp"
#include "device/accounting.hpp"
#include "job/environment.hpp"
#include "job/job_folders.hpp"
#include "job/requirements.hpp"
#include "job/stall.hpp"
#include "job/step.hpp"
#include "job/step_process.hpp"
#include "ledger/undo.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/process_list.hpp"
#include "system/signals.hpp"

namespace cowbench {

namespace {

// Between the wish that a step ends and its end by force.
constexpr std::uint64_t kEndGraceNs = 10 * kNsPerSecond;
constexpr std::uint64_t kPumpNs = 200 * kNsPerMs;
constexpr std::uint64_t kReapNs = 15 * kNsPerSecond;

// Whether a phase of this outcome makes the job a failed one. A phase that was
// interrupted alone, its process ended by somebody, has not been measured.
bool is_failure(const std::string& outcome) {
  return outcome == "failed" || outcome == "interrupted";
}

class Worker {
 public:
  Worker(JobPlan plan, const Catalog& catalog, Channel channel, Ledger ledger,
         std::string plan_path)
      : plan_(std::move(plan)),
        catalog_(catalog),
        channel_(std::move(channel)),
        ledger_(std::move(ledger)),
        plan_path_(std::move(plan_path)),
        started_ns_(now_ns()) {
    record_.layers.resize(plan_.stack.layers.size());
  }

  void run() {
    send("environment", [&](JsonWriter& json) {
      json.key("environment");
      write_environment(json, plan_.guest.emulated);
    });
    if (step("prepare", [&] { return prepare(); })) {
      run_phases(COWBENCH_STAGE_BEFORE_STACK);
      if (may_go_on()) {
        const bool built = step("assemble", [&] { return assemble(); });
        if (built) run_phases(COWBENCH_STAGE_ON_STACK);
      }
    }
    close_remaining_phases();
    tear_down();
    finish();
  }

 private:
  using Fill = std::function<void(JsonWriter&)>;

  void send(const char* type, const Fill& fill) {
    JsonWriter json = begin_event(type, started_ns_);
    fill(json);
    forward(json.end_object().text());
  }

  // A supervisor that is gone makes the job pointless, not the teardown.
  void forward(const std::string& line) {
    if (!channel_.send_line(line)) cancel("the supervisor is gone");
  }

  void cancel(const std::string& reason) {
    if (cancelled_.empty()) cancelled_ = reason;
  }

  bool may_go_on() const {
    return cancelled_.empty() && failure_.empty() && ended_early_.empty();
  }

  // Runs `body` between step-start and step-end; false: the job is over.
  bool step(const char* name, const std::function<StepResult()>& body) {
    send("step-start", [&](JsonWriter& json) { json.field("step", name); });
    const std::uint64_t start = now_ns();
    StepResult result = body();
    send("step-end", [&](JsonWriter& json) {
      json.field("step", name)
          .field("outcome", result.outcome)
          .field("reason", result.reason)
          .field("duration_ns", now_ns() - start);
    });
    if (result.outcome == "ok") return true;
    if (failure_.empty() && cancelled_.empty()) {
      failure_ = std::string(name) + ": " + result.reason;
      lacking_ = plan_.in_guest() && result.outcome == "not-available";
    }
    return false;
  }

  StepResult prepare() {
    // Elsewhere the plan was refused on their account.
    if (plan_.in_guest()) {
      const auto missing = missing_requirements(plan_, catalog_);
      if (!missing.empty()) {
        return {"not-available", join(missing, "; "), false, 0};
      }
    }
    auto notes = make_job_folders(plan_, ledger_);
    Status done = notes ? Status() : Status(notes.error());
    if (done) {
      for (const std::string& note : *notes) {
        send("log", [&](JsonWriter& json) {
          json.field("level", "info").field("text", note);
        });
      }
      auto members = make_members(plan_.members, plan_.image_folder, ledger_);
      if (members) {
        members_ = std::move(members).value();
      } else {
        done = members.error();
      }
    }
    if (!done) {
      return {outcome_of(done.error()), done.error().message(), false, 0};
    }
    send("members", [&](JsonWriter& json) {
      json.key("members").begin_array();
      for (const Member& member : members_) member.write(json);
      json.end_array();
    });
    return {};
  }

  StepResult assemble() {
    if (!done_.empty()) {
      if (Status zeroed = zero_virtual_members(members_); !zeroed) {
        return {"failed", zeroed.error().message(), false, 0};
      }
    }
    StepResult result = run_child(StepOrder::Kind::kAssemble, {}, kStepLimitNs);
    if (result.outcome != "ok") return result;
    const Status recorded = record_signatures(ledger_);
    if (!recorded) result = {"failed", recorded.error().message(), false, 0};
    return result;
  }

  void run_phases(std::int32_t stage) {
    for (const PhaseUse& phase : plan_.profile.phases) {
      const Plugin* plugin = catalog_.phase(phase.name);
      if (plugin == nullptr || plugin->phase.stage != stage) continue;
      if (!may_go_on()) return;
      run_phase(phase.name);
    }
  }

  void run_phase(const std::string& name) {
    send("phase-start", [&](JsonWriter& json) { json.field("phase", name); });
    quiesce_ns_ = 0;
    evidence_.clear();
    const AccountingSnapshot before = take_snapshot(members_);
    const std::uint64_t start = now_ns();
    const StepResult result =
        run_child(StepOrder::Kind::kPhase, name, plan_.profile.phase_limit_ns);
    // A step that ended by force has only its wall time.
    const std::uint64_t duration =
        result.run_ns != 0 ? result.run_ns : now_ns() - start;
    send("phase-end", [&](JsonWriter& json) {
      json.field("phase", name)
          .field("outcome", result.outcome)
          .field("reason", result.reason)
          .field("duration_ns", duration)
          .field("quiesce_ns", quiesce_ns_);
      if (!evidence_.empty()) json.field("evidence", evidence_);
      json.key("accounting");
      write_accounting(json, members_, before);
    });
    done_.push_back(name);
    phases_ns_ += duration;
    total_quiesce_ns_ += quiesce_ns_;
    if (is_failure(result.outcome)) ++failed_phases_;
    if (result.stack_lost && failure_.empty()) {
      failure_ = "the filesystem under test was lost: " + result.reason;
    }
  }

  // Phases that never started say why.
  void close_remaining_phases() {
    const bool interrupted = !cancelled_.empty();
    const std::string reason = interrupted         ? cancelled_
                               : !failure_.empty() ? failure_
                                                   : ended_early_;
    for (const PhaseUse& phase : plan_.profile.phases) {
      if (std::find(done_.begin(), done_.end(), phase.name) != done_.end()) {
        continue;
      }
      send("phase-end", [&](JsonWriter& json) {
        json.field("phase", phase.name)
            .field("outcome", interrupted ? "interrupted" : "not-available")
            .field("reason", "not started: " + reason)
            .field("duration_ns", 0)
            .field("quiesce_ns", 0);
      });
    }
  }

  void tear_down() {
    tearing_down_ = true;
    send("step-start",
         [](JsonWriter& json) { json.field("step", "teardown"); });
    const std::uint64_t start = now_ns();
    StepResult result;
    if (!members_.empty()) {
      result = run_child(StepOrder::Kind::kTeardown, {}, kStepLimitNs);
    }
    // The ledger takes down the rest, and whatever the plugin left up.
    auto undone = undo_ledger(plan_.ledger_path, UndoMoment::kEndOfJob);
    if (!undone) {
      left_over_.push_back(undone.error().message());
    } else {
      left_over_ = undone->failed;
    }
    if (result.outcome == "ok" && !left_over_.empty()) {
      result = {"failed", "not everything could be taken down", false, 0};
    }
    send("step-end", [&](JsonWriter& json) {
      json.field("step", "teardown")
          .field("outcome", result.outcome)
          .field("reason", result.reason)
          .field("duration_ns", now_ns() - start);
    });
    if (result.outcome != "ok" && failure_.empty()) {
      failure_ = "teardown: " + result.reason;
    }
  }

  void finish() {
    std::string outcome = "ok";
    std::string reason;
    if (!cancelled_.empty()) {
      outcome = "interrupted";
      reason = cancelled_;
    } else if (!failure_.empty()) {
      outcome = lacking_ ? "not-available" : "failed";
      reason = failure_;
    } else if (failed_phases_ > 0) {
      outcome = "failed";
      reason = std::to_string(failed_phases_) +
               (failed_phases_ == 1 ? " phase failed" : " phases failed");
    } else if (!ended_early_.empty()) {
      reason = ended_early_;
    }
    send("job-end", [&](JsonWriter& json) {
      json.field("outcome", outcome)
          .field("reason", reason)
          .field("duration_ns", now_ns() - started_ns_)
          .field("quiesce_ns", total_quiesce_ns_)
          .field("phases_ns", phases_ns_ - total_quiesce_ns_);
      json.key("left_over").begin_array();
      for (const std::string& text : left_over_) json.value(text);
      json.end_array();
    });
  }

  // Starts a step and listens to it and to the supervisor until it has ended.
  StepResult run_child(StepOrder::Kind kind, const std::string& phase,
                       std::uint64_t limit_ns) {
    StepOrder order;
    order.kind = kind;
    order.phase = phase;
    order.job_started_ns = started_ns_;
    const std::uint64_t soft = now_ns() + limit_ns;
    order.deadline_ns = soft;
    order.members = members_;
    order.record = record_;
    order.before_stack_folder = plan_.image_folder;
    auto child = start_child({kStepCommand, plan_path_, {}, {}, false});
    if (!child) {
      return {"failed", "start a step: " + child.error().message(), false, 0};
    }
    (void)child->channel.send_line(order.json());
    result_.reset();
    forced_ = 0;
    const bool stalled = pump(*child, soft, phase);
    const CommandResult ended = child->process.wait(kReapNs);
    kill_strays();
    StepResult result = conclude(ended);
    if (stalled) {
      result.outcome = "failed";
      result.reason = "stalled: still running after its limit of " +
                      format_duration(limit_ns) +
                      (evidence_.empty() ? "" : "; evidence in " + evidence_);
    } else if (!cancelled_.empty() && !tearing_down_) {
      result.outcome = "interrupted";
      result.reason = cancelled_;
    }
    return result;
  }

  StepResult conclude(const CommandResult& ended) const {
    if (result_) return *result_;
    std::string said = ended.err;
    if (said.size() > 2000) said.erase(0, said.size() - 2000);
    return {"failed",
            "the step's process ended without a result (" + ended.ending() +
                ")" + (said.empty() ? "" : ": " + said),
            false, 0};
  }

  // True: it was ended because it stalled.
  bool pump(ChildProcess& child, std::uint64_t soft_limit_ns,
            const std::string& phase) {
    bool stalled = false;
    bool told = false;
    std::uint64_t force_at = 0;
    for (;;) {
      Channel::wait_either(child.channel, channel_, kPumpNs);
      while (listen_to_supervisor(child)) {
      }
      if (pending_signal() != 0) cancel("the worker was asked to end");
      // Asked first: what it said before it ended is then there to be heard.
      // A process that it forked may keep its end of the channel open.
      const bool ended = !child.process.running();
      const Heard heard = listen_to_child(child);
      if (heard == Heard::kClosed || ended) return stalled;
      const std::uint64_t now = now_ns();
      if (!stalled && now > soft_limit_ns) {
        stalled = true;
        capture_stall(child, phase);
      }
      const bool wanted = stalled || (!cancelled_.empty() && !tearing_down_);
      if (wanted && !told) {
        told = true;
        force_at = now + kEndGraceNs;
        (void)child.channel.send_line(R"({"type":"cancel"})");
      }
      if (told && now > force_at) {
        child.process.send_signal(SIGKILL);
        force_at = now + kReapNs;
        if (++forced_ > 1) return stalled;  // blocked in the kernel
      }
    }
  }

  enum class Heard { kNothing, kClosed };

  Heard listen_to_child(ChildProcess& child) {
    for (;;) {
      auto received = child.channel.receive_line(0);
      if (!received || received->closed()) return Heard::kClosed;
      if (!received->is_line()) return Heard::kNothing;
      take_in(received->line);
    }
  }

  // An event of the step: what the worker must know it keeps.
  void take_in(const std::string& line) {
    auto event = parse_json(line);
    if (!event) return;
    const std::string type = string_at(*event, "type");
    if (type == "step-result") {
      result_ = StepResult::read(*event);
      return;
    }
    if (type == "layer-state" || type == "layer-output" || type == "mount") {
      record_.absorb(*event, plan_.stack);
    } else if (type == "quiesce") {
      quiesce_ns_ += uint_at(*event, "duration_ns");
    } else if (type == "mark" && bool_at(*event, "ends_job")) {
      ended_early_ =
          string_at(*event, "name") + ": " + string_at(*event, "reason");
    }
    forward(line);
  }

  // True: there was something, look again.
  bool listen_to_supervisor(ChildProcess& child) {
    auto received = channel_.receive_line(0);
    if (!received || received->closed()) {
      cancel("the supervisor is gone");
      return false;
    }
    if (!received->is_line()) return false;
    auto json = parse_json(received->line);
    if (!json) return true;
    const std::string type = string_at(*json, "type");
    if (type == "cancel") cancel(string_at(*json, "reason"));
    if (type == "reply") (void)child.channel.send_line(received->line);
    return true;
  }

  void capture_stall(ChildProcess& child, const std::string& phase) {
    evidence_ = "raw/stall-" + (phase.empty() ? "step" : phase) + ".txt";
    const Status written = write_file_durable(
        plan_.result_folder + "/" + evidence_,
        stall_report(child.process.pid(), plan_.job_id, members_));
    if (!written) evidence_.clear();
  }

  // Programs that outlived the step that started them.
  void kill_strays() {
    const Status none =
        kill_processes_with_environment(kJobTagVariable, plan_.job_id);
    if (none) return;
    send("log", [&](JsonWriter& json) {
      json.field("level", "error").field("text", none.error().message());
    });
  }

  JobPlan plan_;
  const Catalog& catalog_;
  Channel channel_;
  Ledger ledger_;
  const std::string plan_path_;
  const std::uint64_t started_ns_;

  std::vector<Member> members_;
  StackRecord record_;
  std::vector<std::string> done_;
  std::string cancelled_;    // why the job is interrupted
  std::string failure_;      // why it cannot go on
  bool lacking_ = false;     // because the guest lacks something
  std::string ended_early_;  // a mark that ends it
  int failed_phases_ = 0;
  bool tearing_down_ = false;
  std::vector<std::string> left_over_;
  std::uint64_t phases_ns_ = 0;
  std::uint64_t total_quiesce_ns_ = 0;

  // Of the step that runs.
  std::optional<StepResult> result_;
  int forced_ = 0;
  std::uint64_t quiesce_ns_ = 0;
  std::string evidence_;
};

Result<int> work(int fd, const std::string& plan_path) {
  auto text = read_file(plan_path);
  if (!text) return text.error();
  auto search = JobPlan::read_search(*text);
  if (!search) return search.error();
  const Catalog catalog = Catalog::load(*search);
  auto plan = JobPlan::read(*text, catalog);
  if (!plan) return plan.error();
  auto ledger = Ledger::open(plan->ledger_path);
  if (!ledger) return ledger.error();
  Worker worker(std::move(plan).value(), catalog, Channel(UniqueFd(fd)),
                std::move(ledger).value(), plan_path);
  worker.run();
  return 0;
}

}  // namespace

int run_worker(int fd, const std::string& plan_path) {
  if (Status ready = install_signal_handlers(); !ready) return 70;
  auto code = work(fd, plan_path);
  if (code) return *code;
  std::fprintf(stderr, "%s\n", code.error().message().c_str());
  return 70;
}

}  // namespace cowbench
