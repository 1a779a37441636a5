// SPDX-License-Identifier: Apache-2.0
#include "job/stall.hpp"

#include "system/clock.hpp"
#include "system/io_counters.hpp"
#include "system/kernel_log.hpp"
#include "system/process.hpp"
#include "system/process_list.hpp"

namespace cowbench {

namespace {

constexpr std::size_t kKernelRecords = 50;

std::string counters_text(const std::vector<Member>& members) {
  std::string text;
  for (const Member& member : members) {
    text += member.name + " (" + member.path + "): ";
    auto io = io_counters(member.facts.number);
    if (io) {
      text += std::to_string(io->in_flight) + " in flight, read " +
              std::to_string(io->read_bytes) + " bytes, written " +
              std::to_string(io->write_bytes) + " bytes, flushes " +
              std::to_string(io->flush_ops) + "\n";
    } else {
      text += io.error().message() + "\n";
    }
  }
  return text;
}

std::string kernel_text() {
  auto records = kernel_warnings_since(0);
  if (!records) return records.error().message() + "\n";
  std::string text;
  const std::size_t skip =
      records->size() > kKernelRecords ? records->size() - kKernelRecords : 0;
  for (std::size_t i = skip; i < records->size(); ++i) {
    text += (*records)[i].text + "\n";
  }
  return text;
}

}  // namespace

std::string stall_report(pid_t step, const std::string& job_tag,
                         const std::vector<Member>& members) {
  std::string text =
      "Stall at " + utc_now_iso8601() + "\n\nThe step\n" + stall_evidence(step);
  for (const ProcessEntry& process :
       processes_with_environment(kJobTagVariable, job_tag)) {
    if (process.pid == step) continue;
    text += "\nProcess " + std::to_string(process.pid) + ": " +
            process.command + "\n" + stall_evidence(process.pid);
  }
  return text + "\nMembers\n" + counters_text(members) + "\nKernel warnings\n" +
         kernel_text();
}

}  // namespace cowbench
