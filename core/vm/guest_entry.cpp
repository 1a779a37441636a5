// SPDX-License-Identifier: Apache-2.0
#include "vm/guest_entry.hpp"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "job/plan.hpp"
#include "job/worker.hpp"
#include "ledger/ledger.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/machine.hpp"
#include "system/process.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kConnectNs = 30 * kNsPerSecond;

// A port reads as ended until the host has taken its side.
Result<UniqueFd> open_port(const std::string& port) {
  UniqueFd fd(open(port.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd.valid()) return system_error("open", port, errno);
  const std::uint64_t deadline = now_ns() + kConnectNs;
  for (;;) {
    pollfd item{fd.get(), POLLIN | POLLOUT, 0};
    if (poll(&item, 1, 0) >= 0 && (item.revents & POLLHUP) == 0) return fd;
    if (now_ns() >= deadline) {
      return Error(Category::kTimeout, port + ": nobody is at its other side");
    }
    sleep_ns(10 * kNsPerMs);
  }
}

// What the supervisor does for a worker of its own machine.
Status make_ledger(const std::string& plan_path) {
  auto text = read_file(plan_path);
  if (!text) return text.error();
  auto plan = parse_json(*text);
  if (!plan) return plan.error().within(plan_path);
  const std::string path = string_at(*plan, "ledger_path");
  const std::string job_id = string_at(*plan, "job_id");
  const std::string folder = path.substr(0, path.rfind('/'));
  if (Status made = make_directories(folder, 0700); !made) return made;
  auto ledger =
      Ledger::create(path, {job_id, boot_id(), string_at(*plan, "started_at"),
                            string_at(*plan, "result_folder")});
  if (!ledger) return ledger.error();
  LedgerEntry entry;
  entry.kind = "processes";
  entry.identity = job_id;
  if (auto id = ledger->add(entry); !id) return id.error();
  setenv(kJobTagVariable, job_id.c_str(), 1);
  return {};
}

}  // namespace

int run_guest(const std::string& port, const std::string& plan_path) {
  constexpr int kFailed = 70;
  if (Status made = make_ledger(plan_path); !made) {
    std::fprintf(stderr, "cowbench-init: %s\n", made.error().message().c_str());
    return kFailed;
  }
  auto fd = open_port(port);
  if (!fd) {
    std::fprintf(stderr, "cowbench-init: %s\n", fd.error().message().c_str());
    return kFailed;
  }
  return run_worker(fd->release(), plan_path);
}

}  // namespace cowbench
