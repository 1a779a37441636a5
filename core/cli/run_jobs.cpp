// SPDX-License-Identifier: Apache-2.0
#include "cli/run_jobs.hpp"

#include <mutex>
#include <optional>
#include <thread>

#include "base/json.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/version.hpp"
#include "system/clock.hpp"
#include "system/signals.hpp"

namespace cowbench {

namespace {

// Lines of several jobs may come in turns, and must be told apart.
std::string with_job(const JsonValue& event, const std::string& raw,
                     const std::string& job_id) {
  if (member_at(event, "job_id") != nullptr) return raw;
  const std::string field =
      JsonWriter().begin_object().field("job_id", job_id).end_object().text();
  return field.substr(0, field.size() - 1) + "," + raw.substr(1);
}

class Runner {
 public:
  explicit Runner(const RunJobs& jobs) : jobs_(jobs) {}

  Result<std::vector<JobOutcome>> run() {
    if (jobs_.side_by_side <= 1) {
      work();
    } else {
      std::vector<std::thread> threads;
      for (std::uint32_t i = 0; i < jobs_.side_by_side; ++i) {
        threads.emplace_back([this] { work(); });
      }
      for (std::thread& thread : threads) thread.join();
    }
    if (error_) return *error_;
    return std::move(outcomes_);
  }

 private:
  // Takes one job after another until there is none, or a reason to stop.
  void work() {
    // One thread's lines only; a line that is rewritten can have one owner.
    Progress progress(
        stderr_is_terminal() && !jobs_.events && jobs_.side_by_side <= 1,
        jobs_.plan.duration_ns);
    for (;;) {
      JobPlan job;
      {
        const std::lock_guard lock(mutex_);
        if (error_ || pending_signal() != 0) return;
        if (next_ == jobs_.plan.jobs.size()) return;
        job = jobs_.plan.jobs[next_++];
      }
      run_one(job, progress);
    }
  }

  void run_one(JobPlan& job, Progress& progress) {
    job.started_at = utc_now_iso8601();
    std::string name = job.stack.name;
    if (job.in_guest()) name += " in " + job.guest.name;
    if (!jobs_.events) {
      const std::lock_guard lock(mutex_);
      progress.start_job(name, job.order + 1, job.jobs);
    }
    auto outcome = run_job(job, jobs_.catalog, kProductVersion, jobs_.host,
                           [&](const JsonValue& event, const std::string& raw) {
                             const std::lock_guard lock(mutex_);
                             if (jobs_.events) {
                               print(with_job(event, raw, job.job_id) + "\n");
                             } else {
                               progress.take(event);
                             }
                           });
    const std::lock_guard lock(mutex_);
    if (!outcome) {
      error_ = outcome.error();
      return;
    }
    if (!jobs_.events) {
      progress.end_job(outcome->outcome, outcome->reason, planned_ns(job));
    }
    outcomes_.push_back(*outcome);
  }

  std::uint64_t planned_ns(const JobPlan& job) const {
    for (const StackPreview& preview : jobs_.plan.previews) {
      if (preview.stack == job.stack.name) return preview.duration_ns;
    }
    return 0;
  }

  const RunJobs& jobs_;
  std::mutex mutex_;  // guards what follows, and what is printed
  std::size_t next_ = 0;
  std::optional<Error> error_;
  std::vector<JobOutcome> outcomes_;
};

}  // namespace

Result<std::vector<JobOutcome>> run_jobs(const RunJobs& jobs) {
  return Runner(jobs).run();
}

}  // namespace cowbench
