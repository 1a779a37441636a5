// SPDX-License-Identifier: Apache-2.0
#include "job/local_worker.hpp"

#include "job/step_process.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

// The worker has said job-end, or its channel is closed: it must be ending.
constexpr std::uint64_t kWorkerEndNs = 20 * kNsPerSecond;

class LocalWorker : public RunningWorker {
 public:
  explicit LocalWorker(ChildProcess child) : child_(std::move(child)) {}

  Channel& channel() override { return child_.channel; }
  void observe(const JsonValue& /*event*/) override {}
  // It watches its own steps, and its channel closes when it dies.
  std::string trouble() override { return {}; }
  void cancelled() override {}
  std::string end(bool /*finished*/) override {
    const CommandResult ended = child_.process.wait(kWorkerEndNs);
    return "the worker ended early (" + ended.ending() + ")" +
           (ended.err.empty() ? "" : ": " + ended.err);
  }

 private:
  ChildProcess child_;
};

// The job's processes read it as root, so it lies where only root writes; the
// copy beside the results is for people.
Result<std::string> save_plan(const WorkerContext& context) {
  LedgerEntry entry;
  entry.kind = "file";
  entry.identity = context.plan.ledger_path + ".plan";
  if (auto id = context.ledger.add(entry); !id) return id.error();
  Status saved =
      write_file_durable(entry.identity, context.plan.json() + "\n", 0600);
  if (!saved) return saved.error();
  return entry.identity;
}

}  // namespace

Result<std::unique_ptr<RunningWorker>> LocalWorkerHost::start(
    const WorkerContext& context) {
  auto plan_path = save_plan(context);
  if (!plan_path) return plan_path.error();
  auto child = start_child({kWorkerCommand,
                            *plan_path,
                            context.plan.job_id,
                            {context.lock_descriptor},
                            true});
  if (!child) return child.error().within("start the worker");
  return std::unique_ptr<RunningWorker>(
      std::make_unique<LocalWorker>(std::move(child).value()));
}

}  // namespace cowbench
