// SPDX-License-Identifier: Apache-2.0
// Workers in guests: one fresh virtual machine a job.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "job/worker_host.hpp"
#include "vm/accelerator.hpp"
#include "vm/guest_image.hpp"

namespace cowbench {

struct GuestSettings {
  std::map<std::string, GuestImage> images;         // by the guest's name
  std::map<std::string, Accelerator> accelerators;  // likewise
  std::string emulator;                             // its version
  std::uint64_t memory_bytes = 0;
  std::uint32_t cpus = 1;
  std::uint64_t boot_limit_ns = 0;  // 0: as the accelerator needs
  std::string program;              // the running executable
};

// Several threads may start workers. `settings` outlives it.
class GuestHost : public WorkerHost {
 public:
  explicit GuestHost(const GuestSettings& settings) : settings_(settings) {}

  Result<std::unique_ptr<RunningWorker>> start(
      const WorkerContext& context) override;
  bool worker_owns_ledger() const override { return false; }

 private:
  const GuestSettings& settings_;
};

}  // namespace cowbench
