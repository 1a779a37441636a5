// SPDX-License-Identifier: Apache-2.0
// Workers as processes of this machine.
#pragma once

#include "job/worker_host.hpp"

namespace cowbench {

class LocalWorkerHost : public WorkerHost {
 public:
  Result<std::unique_ptr<RunningWorker>> start(
      const WorkerContext& context) override;
  bool worker_owns_ledger() const override { return true; }
};

}  // namespace cowbench
