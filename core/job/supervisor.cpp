// SPDX-License-Identifier: Apache-2.0
#include "job/supervisor.hpp"

#include <csignal>
#include <map>
#include <memory>
#include <optional>

#include "job/session.hpp"
#include "ledger/undo.hpp"
#include "result/fold.hpp"
#include "system/append_file.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"
#include "system/machine.hpp"
#include "system/page_cache.hpp"
#include "system/signals.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kListenNs = 200 * kNsPerMs;

class Supervisor {
 public:
  Supervisor(const JobPlan& plan, WorkerHost& host, const EventSink& sink)
      : plan_(plan), host_(host), sink_(sink), started_ns_(now_ns()) {}

  Result<JobOutcome> run(const Catalog& catalog,
                         const std::string& product_version) {
    if (Status ready = open_files(); !ready) return ready.error();
    tell(job_start_event(plan_, catalog, product_version));
    auto worker =
        host_.start({plan_, *ledger_, lock_->descriptor(), started_ns_,
                     [this](const std::string& line) { tell(line); }});
    if (!worker) {
      close_dead_job(worker.error().message());
    } else {
      attend(**worker);
    }
    sync_log();
    if (Status folded = refold(plan_.result_folder); !folded) {
      return folded.error();
    }
    give_to_invoker();
    return outcome_;
  }

 private:
  // Folders, plan.json, the logs, and the ledger with its lock.
  Status open_files() {
    for (const std::string& folder :
         {plan_.result_folder, plan_.artifact_folder()}) {
      if (Status made = make_directories(folder); !made) return made;
    }
    if (Status saved = write_file_durable(plan_.result_folder + "/plan.json",
                                          plan_.json() + "\n");
        !saved) {
      return saved;
    }
    auto events = AppendFile::open(plan_.result_folder + "/events.jsonl");
    if (!events) return events.error();
    events_.emplace(std::move(events).value());
    auto trace = AppendFile::open(plan_.result_folder + "/trace.jsonl");
    if (!trace) return trace.error();
    trace_.emplace(std::move(trace).value());
    return open_ledger();
  }

  // Locked before it has content, so that no `clean` takes it for a dead one.
  Status open_ledger() {
    const std::string folder =
        plan_.ledger_path.substr(0, plan_.ledger_path.rfind('/'));
    if (Status made = make_directories(folder, 0700); !made) return made;
    auto lock = FileLock::try_lock(plan_.ledger_path);
    if (!lock) return lock.error();
    if (!*lock) {
      return Error(Category::kInternal,
                   "ledger " + plan_.ledger_path + " is locked by another run");
    }
    lock_.emplace(std::move(**lock));
    auto ledger = Ledger::create(
        plan_.ledger_path,
        {plan_.job_id, boot_id(), plan_.started_at, plan_.result_folder});
    if (!ledger) return ledger.error();
    LedgerEntry entry;
    entry.kind = "processes";
    entry.identity = plan_.job_id;
    if (auto id = ledger->add(entry); !id) return id.error();
    ledger_.emplace(std::move(ledger).value());
    return {};
  }

  void attend(RunningWorker& worker) {
    bool told = false;
    std::string trouble;
    while (trouble.empty()) {
      auto received = worker.channel().receive_line(kListenNs);
      if (!received || received->closed()) {
        if (outcome_.started || told || !worker.started_anew()) break;
        continue;
      }
      if (received->is_line()) take_in(received->line, worker);
      trouble = worker.trouble();
      const int signal = pending_signal();
      if (signal == 0 || told) continue;
      told = true;
      (void)worker.channel().send_line(
          JsonWriter()
              .begin_object()
              .field("type", "cancel")
              .field("reason", interruption(signal))
              .end_object()
              .text());
      worker.cancelled();
    }
    const std::string ending = worker.end(finished_);
    if (!finished_) {
      close_dead_job(trouble.empty() ? ending : trouble);
    } else if (!host_.worker_owns_ledger()) {
      take_down();
    }
  }

  static std::string interruption(int signal) {
    return std::string("interrupted by ") +
           (signal == SIGINT ? "SIGINT" : "SIGTERM");
  }

  void take_in(const std::string& line, RunningWorker& worker) {
    auto event = parse_json(line);
    if (!event) return;
    outcome_.started = true;
    worker.observe(*event);
    const std::string type = string_at(*event, "type");
    if (type == "request") {
      answer(*event, worker.channel());
      return;
    }
    if (type == "members") remember_images(*event);
    if (type == "job-end") {
      finished_ = true;
      set_outcome(string_at(*event, "outcome"), string_at(*event, "reason"));
    }
    if (type == "command") {
      (void)trace_->write_line(line);
    } else if (type != "progress") {
      record(line);
    }
    // What has ended stays ended, whatever happens next.
    if (type.ends_with("-end")) sync_log();
    if (sink_) sink_(*event, line);
  }

  // A log that cannot be written makes every number after it worthless.
  void record(const std::string& line) {
    if (Status written = events_->write_line(line);
        !written && log_error_.empty()) {
      log_error_ = written.error().message();
    }
  }

  void sync_log() {
    if (Status synced = events_->sync(); !synced && log_error_.empty()) {
      log_error_ = synced.error().message();
    }
    (void)trace_->sync();
    if (!log_error_.empty()) {
      set_outcome("failed", "write the event log: " + log_error_);
    }
  }

  void remember_images(const JsonValue& event) {
    const JsonValue* members = member_at(event, "members");
    if (members == nullptr || !members->IsArray()) return;
    for (const JsonValue& json : members->GetArray()) {
      const Member member = Member::read(json);
      if (!member.image.empty()) images_.push_back(member.image);
    }
  }

  void answer(const JsonValue& request, Channel& channel) {
    JsonWriter json;
    json.begin_object()
        .field("type", "reply")
        .field("id", uint_at(request, "id"));
    if (string_at(request, "what") == "drop-backing-cache") {
      std::uint64_t cached = 0;
      for (const std::string& image : images_) {
        if (Status dropped = drop_file_cache(image); !dropped) {
          json.field("error", dropped.error().message());
          break;
        }
        if (auto bytes = cached_bytes(image); bytes) cached += *bytes;
      }
      json.field("cached_bytes", cached);
    } else {
      json.field("error", "the supervisor knows no such request");
    }
    (void)channel.send_line(json.end_object().text());
  }

  // The worker is gone without a word: take down what the ledger holds.
  void close_dead_job(const std::string& reason) {
    auto undone = undo_ledger(plan_.ledger_path, UndoMoment::kEndOfJob);
    std::vector<std::string> left;
    if (!undone) {
      // The worker had removed the ledger: nothing was left.
      if (path_exists(plan_.ledger_path)) {
        left.push_back(undone.error().message());
      }
    } else {
      left = undone->failed;
    }
    const int signal = pending_signal();
    if (signal == 0) {
      set_outcome("failed", reason);
    } else {
      set_outcome("interrupted", interruption(signal) + "; " + reason);
    }
    JsonWriter json = begin_event("job-end", started_ns_);
    json.field("outcome", outcome_.outcome)
        .field("reason", outcome_.reason)
        .field("duration_ns", now_ns() - started_ns_)
        .field("quiesce_ns", 0)
        .field("phases_ns", 0);
    json.key("left_over").begin_array();
    for (const std::string& text : left) json.value(text);
    json.end_array();
    tell(json.end_object().text());
  }

  // The worker's end of it is in order; what is here on its behalf goes too.
  void take_down() {
    auto undone = undo_ledger(plan_.ledger_path, UndoMoment::kEndOfJob);
    std::vector<std::string> left;
    if (!undone) {
      left.push_back(undone.error().message());
    } else {
      left = undone->failed;
    }
    for (const std::string& text : left) {
      JsonWriter json = begin_event("log", started_ns_);
      json.field("level", "error").field("text", "not removed: " + text);
      tell(json.end_object().text());
      set_outcome("failed", "not removed: " + text);
    }
  }

  void set_outcome(const std::string& outcome, const std::string& reason) {
    outcome_.outcome = outcome;
    outcome_.reason = reason;
  }

  // An event of the supervisor's own.
  void tell(const std::string& line) {
    record(line);
    if (auto event = parse_json(line); event && sink_) sink_(*event, line);
  }

  void give_to_invoker() {
    for (const std::string& folder :
         {plan_.result_folder, plan_.artifact_folder()}) {
      (void)chown_to_invoker(folder);
      for (const std::string& name : list_folder(folder)) {
        (void)chown_to_invoker(folder + "/" + name);
      }
    }
  }

  const JobPlan& plan_;
  WorkerHost& host_;
  const EventSink& sink_;
  const std::uint64_t started_ns_;
  std::optional<AppendFile> events_;
  std::optional<AppendFile> trace_;
  std::optional<FileLock> lock_;
  std::optional<Ledger> ledger_;
  std::vector<std::string> images_;
  bool finished_ = false;
  std::string log_error_;
  JobOutcome outcome_{"failed", "the job never ended", false};
};

}  // namespace

Result<JobOutcome> run_job(const JobPlan& plan, const Catalog& catalog,
                           const std::string& product_version, WorkerHost& host,
                           const EventSink& sink) {
  return Supervisor(plan, host, sink).run(catalog, product_version);
}

}  // namespace cowbench
