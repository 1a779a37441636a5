// SPDX-License-Identifier: Apache-2.0
#include "vm/guest_host.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/text.hpp"
#include "base/units.hpp"
#include "job/session.hpp"
#include "job/worker.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "vm/console.hpp"
#include "vm/guest_machine.hpp"
#include "vm/guest_plan.hpp"
#include "vm/virtual_machine.hpp"

namespace cowbench {

namespace {

constexpr char kConsole[] = "guest-console.txt";
constexpr char kFirstConsole[] = "guest-console-1.txt";

// How patient this machine is. The worker has limits of its own, and so these
// only meet a guest that does not answer any more; an emulated one is slow,
// above all where the machine is busy.
struct Limits {
  std::uint64_t boot_ns;
  std::uint64_t grace_ns;      // on top of the worker's own limit of a step
  std::uint64_t between_ns;    // two steps
  std::uint64_t cancel_ns;     // from the wish to the end of the job
  std::uint64_t power_off_ns;  // after the job's end
};
constexpr Limits kKvmLimits = {60 * kNsPerSecond, 90 * kNsPerSecond,
                               90 * kNsPerSecond, 60 * kNsPerSecond,
                               20 * kNsPerSecond};
constexpr Limits kTcgLimits = {300 * kNsPerSecond, 180 * kNsPerSecond,
                               180 * kNsPerSecond, 180 * kNsPerSecond,
                               60 * kNsPerSecond};

class GuestWorker : public RunningWorker {
 public:
  GuestWorker(VirtualMachine machine, GuestMachine description,
              const WorkerContext& context, const Limits& limits)
      : machine_(std::move(machine)),
        description_(std::move(description)),
        plan_(context.plan),
        job_started_ns_(context.job_started_ns),
        tell_(context.tell),
        limits_(limits) {
    expect("boot", limits_.boot_ns);
  }

  Channel& channel() override { return machine_->port(); }

  void observe(const JsonValue& event) override {
    if (!booted_) note_boot();
    const std::string type = string_at(event, "type");
    if (type == "step-start") {
      expect("end step " + string_at(event, "step"),
             kStepLimitNs + limits_.grace_ns);
    } else if (type == "phase-start") {
      expect("end phase " + string_at(event, "phase"),
             plan_.profile.phase_limit_ns + limits_.grace_ns);
    } else if (type == "job-end") {
      expect("power off", limits_.power_off_ns);
    } else if (type == "step-end" || type == "phase-end" ||
               type == "environment") {
      expect("go on", limits_.between_ns);
    }
  }

  std::string trouble() override {
    machine_->reports();
    for (const std::string& error :
         machine_->reports_to_take().take_disk_errors()) {
      log("error", error + " (the guest has seen the error)");
    }
    if (const std::string& full = machine_->reports().store_full();
        !full.empty()) {
      return "the store of the members' images is full: " + full +
             "; use --work-dir on a larger one";
    }
    if (cancelled_in_boot_) return "the guest was still booting";
    if (now_ns() < deadline_ns_) return {};
    const std::string panic = panic_in(console());
    if (!panic.empty()) return panic_reason(panic);
    return booted_ ? "the guest hangs: it did not " + awaited_ + " within " +
                         format_duration(limit_ns_) + whereabouts()
                   : never_booted("it was ended after " +
                                  format_duration(limit_ns_));
  }

  void cancelled() override {
    cancelled_in_boot_ = !booted_;
    cancel_deadline_ns_ = now_ns() + limits_.cancel_ns;
    expect("end the job that was cancelled", limits_.cancel_ns);
  }

  // Kernels under emulation by several threads panic now and then while they
  // boot (seen with QEMU 7.2 and Linux 6.12: twice in some sixty boots). That
  // says nothing of the stack, so such a guest gets one more boot; what it
  // said is kept.
  bool started_anew() override {
    if (booted_ || anew_ || !description_.emulated()) return false;
    (void)machine_->stop();
    const std::string panic = panic_in(console());
    if (panic.empty()) return false;
    anew_ = true;
    (void)std::rename((plan_.artifact_folder() + "/" + kConsole).c_str(),
                      (plan_.artifact_folder() + "/" + kFirstConsole).c_str());
    auto again = VirtualMachine::start(description_, plan_.job_id);
    if (!again) return false;
    log("warning", "the emulated guest's kernel panicked while it booted (" +
                       panic + "); it was booted once more; raw/" +
                       kFirstConsole + " is of the first time");
    machine_.emplace(std::move(again).value());
    expect("boot", limits_.boot_ns);
    return true;
  }

  std::string end(bool finished) override {
    // With nobody to talk to any more it is on its way out by itself, or lost.
    if (finished) machine_->wait_for(limits_.power_off_ns);
    const bool alone = machine_->wait_for(kNsPerSecond);
    const CommandResult ended = machine_->stop();
    const std::string panic = panic_in(console());
    if (!panic.empty()) return panic_reason(panic);
    if (alone && ended.signal != 0) {
      return "the emulator was ended from outside (" + ended.ending() + ")" +
             whereabouts();
    }
    const std::string said(trim(ended.err));
    if (!booted_) {
      return never_booted(said.empty() ? "it ended by itself"
                                       : "the emulator said: " + said);
    }
    if (alone && ended.exit_status != 0) {
      return "the emulator failed (" + ended.ending() + "): " + said;
    }
    return "the guest went down before the job had ended" + whereabouts();
  }

 private:
  void expect(const std::string& what, std::uint64_t limit_ns) {
    awaited_ = what;
    limit_ns_ = limit_ns;
    deadline_ns_ = now_ns() + limit_ns;
    // Taking down may be slow, but nothing is lost with a guest.
    if (cancel_deadline_ns_ != 0) {
      deadline_ns_ = std::min(deadline_ns_, cancel_deadline_ns_);
    }
  }

  void note_boot() {
    booted_ = true;
    JsonWriter json = begin_event("guest-booted", job_started_ns_);
    json.field("boot_ns", now_ns() - machine_->started_ns());
    tell_(json.end_object().text());
    expect("go on", limits_.between_ns);
  }

  void log(const char* level, const std::string& text) {
    JsonWriter json = begin_event("log", job_started_ns_);
    json.field("level", level).field("text", text);
    tell_(json.end_object().text());
  }

  std::string console() const {
    auto text = read_file(plan_.artifact_folder() + "/" + kConsole);
    return text ? *text : std::string();
  }

  static std::string whereabouts() {
    return std::string("; its console is in raw/") + kConsole;
  }

  static std::string panic_reason(const std::string& panic) {
    return "the guest's kernel panicked: " + panic + whereabouts();
  }

  std::string never_booted(const std::string& how) const {
    const std::string text = console();
    std::string last = init_complaint_in(text);
    if (last.empty()) last = last_lines(text, 2);
    return "the guest never booted: " + how +
           (last.empty() ? "; its console is empty"
                         : "; the last it said was: " + last + whereabouts());
  }

  std::optional<VirtualMachine> machine_;  // always one
  const GuestMachine description_;
  const JobPlan& plan_;
  const std::uint64_t job_started_ns_;
  const std::function<void(const std::string&)> tell_;
  const Limits limits_;
  bool booted_ = false;
  bool anew_ = false;
  bool cancelled_in_boot_ = false;
  std::string awaited_;
  std::uint64_t limit_ns_ = 0;
  std::uint64_t deadline_ns_ = 0;
  std::uint64_t cancel_deadline_ns_ = 0;  // 0: not cancelled
};

// What a guest needs of this machine, entered in the ledger before it is made.
class Preparation {
 public:
  explicit Preparation(const WorkerContext& context)
      : plan_(context.plan), ledger_(context.ledger) {}

  std::string exchange() const { return plan_.image_folder + "/exchange"; }

  Status make(const GuestLayout& layout) {
    if (path_exists(plan_.image_folder)) {
      return Error(Category::kEnvironment,
                   plan_.image_folder +
                       " exists already and is not this job's; look at it, "
                       "and move it away or remove it");
    }
    if (Status entered = enter("folder", plan_.image_folder); !entered) {
      return entered;
    }
    for (const std::string& folder :
         {plan_.image_folder, exchange(), exchange() + "/result",
          exchange() + "/result/raw"}) {
      if (Status made = make_directories(folder, 0700); !made) return made;
    }
    for (const MemberPlan& member : plan_.members) {
      if (Status entered = enter("image", member.disk->image); !entered) {
        return entered;
      }
      if (Status made =
              create_sparse_file(member.disk->image, member.size_bytes);
          !made) {
        return made;
      }
    }
    if (Status saved = write_file_durable(exchange() + "/plan.json",
                                          layout.plan.json() + "\n");
        !saved) {
      return saved;
    }
    if (Status saved = write_file_durable(exchange() + "/mounts",
                                          mounts_text(layout.shares));
        !saved) {
      return saved;
    }
    // Undone first: nobody must write to what is being removed.
    return enter("processes", plan_.job_id);
  }

 private:
  Status enter(const char* kind, const std::string& identity) {
    LedgerEntry entry;
    entry.kind = kind;
    entry.identity = identity;
    auto id = ledger_.add(entry);
    return id ? Status() : Status(id.error());
  }

  const JobPlan& plan_;
  Ledger& ledger_;
};

GuestMachine machine_of(const GuestSettings& settings,
                        const WorkerContext& context, const GuestLayout& layout,
                        const std::string& exchange) {
  const JobPlan& plan = context.plan;
  GuestMachine machine = guest_machine(
      settings.images.at(plan.guest.name),
      {"cowbench.mode=job", "cowbench.program=" + layout.program});
  machine.accelerator = settings.accelerators.at(plan.guest.name).name;
  machine.memory_mib = static_cast<std::uint32_t>(settings.memory_bytes >> 20U);
  machine.cpus = settings.cpus;
  for (const MemberPlan& member : plan.members) {
    machine.member_disks.push_back({member.disk->serial, member.disk->image,
                                    false, member.disk->iops,
                                    member.disk->bytes_per_second});
  }
  machine.shares = {{"exchange", exchange, kGuestExchange, false}};
  machine.shares.insert(machine.shares.end(), layout.shares.begin(),
                        layout.shares.end());
  machine.console_path = plan.artifact_folder() + "/" + kConsole;
  return machine;
}

std::string guest_event(const GuestSettings& settings,
                        const WorkerContext& context) {
  const std::string& name = context.plan.guest.name;
  const GuestImage& image = settings.images.at(name);
  const Accelerator& accelerator = settings.accelerators.at(name);
  JsonWriter json = begin_event("guest", context.job_started_ns);
  json.key("guest")
      .begin_object()
      .field("name", image.name)
      .field("key", image.key)
      .field("kernel", image.kernel_release)
      .field("accelerator", accelerator.name)
      .field("emulated", accelerator.emulated())
      .field("why_emulated", accelerator.reason)
      .field("emulator", "QEMU " + settings.emulator)
      .field("cache_mode", kCacheMode)
      .field("memory_bytes", settings.memory_bytes)
      .field("cpus", settings.cpus)
      .end_object();
  return json.end_object().text();
}

}  // namespace

Result<std::unique_ptr<RunningWorker>> GuestHost::start(
    const WorkerContext& context) {
  const std::string& name = context.plan.guest.name;
  context.tell(guest_event(settings_, context));
  const GuestLayout layout = lay_out(context.plan, settings_.program);
  Preparation preparation(context);
  if (Status made = preparation.make(layout); !made) {
    return made.error().within("prepare the guest");
  }
  GuestMachine description =
      machine_of(settings_, context, layout, preparation.exchange());
  auto machine = VirtualMachine::start(description, context.plan.job_id);
  if (!machine) return machine.error().within("start the guest");
  Limits limits =
      settings_.accelerators.at(name).emulated() ? kTcgLimits : kKvmLimits;
  if (settings_.boot_limit_ns != 0) limits.boot_ns = settings_.boot_limit_ns;
  return std::unique_ptr<RunningWorker>(std::make_unique<GuestWorker>(
      std::move(machine).value(), std::move(description), context, limits));
}

}  // namespace cowbench
