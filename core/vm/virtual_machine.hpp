// SPDX-License-Identifier: Apache-2.0
// A running emulator: its process, its control channel, the guest's port.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "system/channel.hpp"
#include "system/process.hpp"
#include "vm/qemu_command.hpp"

namespace cowbench {

// "7.2.22 (Debian ...)": of the emulator that is installed. kEnvironment, with
// what brings it, when there is none.
Result<std::string> emulator_version();
// Of what it says to --version; empty when that is nothing known. Pure.
std::string parse_emulator_version(std::string_view text);

// What the emulator has reported on its control channel. Pure.
class EmulatorReports {
 public:
  explicit EmulatorReports(std::vector<std::string> serials)
      : serials_(std::move(serials)) {}

  // One line of QMP; what is none is ignored.
  void take(const std::string& line);

  // A store of images is full and the machine stands still; empty: it is not.
  const std::string& store_full() const { return store_full_; }
  // Other errors below the disks, which the guest has seen; handed out once.
  std::vector<std::string> take_disk_errors();
  // As QMP names it: "guest-shutdown", "guest-reset", "host-signal"; empty:
  // it has not ended, or not so.
  const std::string& shutdown() const { return shutdown_; }

 private:
  std::string disk_of(const std::string& node) const;

  std::vector<std::string> serials_;  // of the disks, in their order
  std::string store_full_;
  std::string shutdown_;
  std::vector<std::string> disk_errors_;
};

// Ends the emulator when it is destroyed. The emulator also ends when the
// thread that started it does.
class VirtualMachine {
 public:
  // `machine.control_fd` and `port_fd` are set here. `job_tag` marks the
  // process for the ledger; empty: none. Errors as for Process::start.
  static Result<VirtualMachine> start(GuestMachine machine,
                                      const std::string& job_tag);

  // This machine's end of the guest's port.
  Channel& port() { return *port_; }
  // Takes in what the emulator has reported since.
  const EmulatorReports& reports();
  EmulatorReports& reports_to_take() { return reports_; }
  bool running() const { return process_.running(); }
  bool wait_for(std::uint64_t limit_ns) const {
    return process_.wait_for(limit_ns);
  }
  // Ends it, by force after some seconds, when it runs; then how it ended.
  CommandResult stop();
  pid_t pid() const { return process_.pid(); }
  std::uint64_t started_ns() const { return started_ns_; }

 private:
  VirtualMachine(Process process, Channel control, Channel port,
                 EmulatorReports reports);

  Process process_;
  // Not moved once they are used by two ends; held so that this object is.
  std::unique_ptr<Channel> control_;
  std::unique_ptr<Channel> port_;
  EmulatorReports reports_;
  std::uint64_t started_ns_;
};

}  // namespace cowbench
