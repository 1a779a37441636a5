// SPDX-License-Identifier: Apache-2.0
// The supervisor: runs jobs one after another, keeps their event logs, and
// cleans up after a worker that died.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "job/plan.hpp"
#include "job/worker_host.hpp"

namespace cowbench {

// How a job ended.
struct JobOutcome {
  std::string outcome;  // "ok", "failed", "not-available", "interrupted"
  std::string reason;
  bool started = false;  // the worker was heard of
};

// Called with every event (also progress) and the line it came in.
using EventSink =
    std::function<void(const JsonValue& event, const std::string& line)>;

// Runs one job to its end: result.json is there afterwards whatever happened.
// Several threads may each run one.
// A SIGINT or SIGTERM ends the phase, takes everything down and gives
// "interrupted". The error means that the job could not even be started.
Result<JobOutcome> run_job(const JobPlan& plan, const Catalog& catalog,
                           const std::string& product_version, WorkerHost& host,
                           const EventSink& sink);

}  // namespace cowbench
