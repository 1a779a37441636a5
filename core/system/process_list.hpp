// SPDX-License-Identifier: Apache-2.0
// Looking at other processes through /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

struct ProcessEntry {
  pid_t pid = 0;
  std::string command;  // argv, as a person would type it
};

// Processes that were started with NAME=VALUE in their environment, without
// the caller itself and without zombies. Those of other users are seen by
// root only.
std::vector<ProcessEntry> processes_with_environment(const std::string& name,
                                                     const std::string& value);

// Kills them (SIGKILL), and what they start meanwhile, and waits until none
// is left. kTimeout names the survivors.
Status kill_processes_with_environment(
    const std::string& name, const std::string& value,
    std::uint64_t timeout_ns = 10'000'000'000);

// Evidence for a stall: for each thread its name, state, wait channel, system
// call and kernel stack, as far as this user may read them. Empty when there
// is no such process.
std::string stall_evidence(pid_t pid);

// Somebody who keeps a path or device busy.
struct Holder {
  pid_t pid = 0;        // 0: the kernel itself (a mount, a mapping, swap)
  std::string command;  // of that process; empty for the kernel
  std::string reason;   // "open as fd 3", "current directory", "mounted on /x"
};

// Who holds this block device (open, mounted in any mount namespace, mapped
// by another device, swap), or this file, folder or mount point (open files,
// current directories and programs at or below it). Never touches the
// filesystem itself, so that it answers even when that is stuck.
std::vector<Holder> holders_of(const std::string& path);

// "held by: pid 12 (sleep 60): open as fd 3; mounted on /mnt", or "no holder
// found".
std::string describe_holders(const std::vector<Holder>& holders);

}  // namespace cowbench
