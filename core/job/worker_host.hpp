// SPDX-License-Identifier: Apache-2.0
// Where the worker of a job runs. The supervisor knows no more of that place
// than this: this machine is in local_worker.hpp, a guest in vm/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "job/plan.hpp"
#include "ledger/ledger.hpp"
#include "system/channel.hpp"

namespace cowbench {

// What a place gets from the supervisor for one job.
struct WorkerContext {
  const JobPlan& plan;
  // Open and locked. What the place makes on this machine is entered first.
  Ledger& ledger;
  int lock_descriptor = -1;  // for a process that may outlive the supervisor
  std::uint64_t job_started_ns = 0;  // for begin_event()
  // Records an event of the place's own.
  std::function<void(const std::string& line)> tell;
};

// A worker that has been started. Used by one thread; its end by force is the
// destructor's duty when end() was not called.
class RunningWorker {
 public:
  RunningWorker() = default;
  RunningWorker(const RunningWorker&) = delete;
  RunningWorker& operator=(const RunningWorker&) = delete;
  virtual ~RunningWorker() = default;

  virtual Channel& channel() = 0;
  // Told of every event that came from the worker.
  virtual void observe(const JsonValue& event) = 0;
  // Asked a few times a second: why nothing more can be waited for, or empty.
  virtual std::string trouble() = 0;
  // The job is cancelled, and the worker has been told so.
  virtual void cancelled() = 0;
  // The channel has closed before the worker said a word. Whether the place has
  // started it anew, on a channel of its own; only for a fault that is known
  // not to be the job's. A place that does so says it in an event.
  virtual bool started_anew() { return false; }
  // Waits for the end, by force after a while. `finished`: the worker has
  // said job-end. Answers in words how it ended: a sentence for a reason.
  virtual std::string end(bool finished) = 0;
};

class WorkerHost {
 public:
  WorkerHost() = default;
  WorkerHost(const WorkerHost&) = delete;
  WorkerHost& operator=(const WorkerHost&) = delete;
  virtual ~WorkerHost() = default;

  virtual Result<std::unique_ptr<RunningWorker>> start(
      const WorkerContext& context) = 0;
  // Whether the worker takes down what the ledger holds. Otherwise the
  // supervisor does, once the worker has ended.
  virtual bool worker_owns_ledger() const = 0;
};

}  // namespace cowbench
