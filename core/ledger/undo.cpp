// SPDX-License-Identifier: Apache-2.0
#include "ledger/undo.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "system/block.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/loop.hpp"
#include "system/machine.hpp"
#include "system/mount.hpp"
#include "system/partition.hpp"
#include "system/process.hpp"
#include "system/process_list.hpp"
#include "system/signature.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kCommandLimitNs = 120 * kNsPerSecond;

Result<bool> undo_processes(const std::string& tag) {
  const bool existed =
      !processes_with_environment(kJobTagVariable, tag).empty();
  if (Status status = kill_processes_with_environment(kJobTagVariable, tag);
      !status) {
    return status.error();
  }
  return existed;
}

Result<bool> undo_path(const std::string& path) {
  if (!path_exists(path)) return false;
  set_immutable(path, false);
  if (Status status = remove_tree(path); !status) return status.error();
  return true;
}

Result<bool> undo_loop(const std::string& image) {
  const std::vector<LoopDevice> loops = loops_backed_by(image);
  for (const LoopDevice& loop : loops) {
    if (Status status = detach_loop(loop.path, image); !status) {
      return status.error();
    }
  }
  return !loops.empty();
}

Result<bool> undo_mount(const std::string& target) {
  bool existed = false;
  // Several may lie on top of each other after a crash between mounts.
  while (find_mount(target)) {
    existed = true;
    if (Status status = unmount(target); !status) return status.error();
  }
  return existed;
}

Result<bool> undo_slice(const LedgerEntry& entry) {
  const int number = std::atoi(entry.parameter("number").c_str());
  // One with a place in a table was made by somebody else since.
  if (!is_kernel_only_partition(entry.identity, number)) return false;
  if (Status status = delete_partition(entry.identity, number); !status) {
    return status.error();
  }
  return true;
}

// Only the very device that the user gave us may be wiped: after a reboot, or
// when number or size changed, the path may mean another one.
Result<bool> undo_wipe(const LedgerEntry& entry, bool same_boot,
                       UndoMoment moment) {
  auto facts = block_facts(entry.identity);
  const bool same =
      facts && same_boot && facts->number.text() == entry.parameter("number") &&
      std::to_string(facts->size_bytes) == entry.parameter("size_bytes");
  if (!same) {
    // A slice goes away with its partition; nothing can be wiped there.
    if (!facts && same_boot) return false;
    return Error(Category::kEnvironment,
                 entry.identity +
                     " is no longer provably the device of the job (the "
                     "machine was restarted or devices were renamed); look at "
                     "it and run wipefs yourself if it is");
  }
  auto found = find_signatures(entry.identity);
  if (!found) return found.error();
  if (found->empty()) return false;
  const std::vector<std::string> recorded =
      split(entry.parameter("signatures"), '\n');
  const bool known = !entry.parameter("signatures").empty();
  for (const std::string& line : split(signature_list(*found), '\n')) {
    if (moment == UndoMoment::kEndOfJob || !known ||
        std::find(recorded.begin(), recorded.end(), line) != recorded.end()) {
      continue;
    }
    return Error(Category::kEnvironment,
                 entry.identity +
                     " carries something that the job did not "
                     "make (" +
                     line +
                     "), so it is left alone; run wipefs yourself if it may "
                     "go");
  }
  if (Status status = wipe_signatures(entry.identity); !status) {
    return status.error();
  }
  return true;
}

Result<bool> object_exists(const LedgerEntry& entry) {
  Command command;
  command.argv = entry.exists;
  command.timeout_ns = kCommandLimitNs;
  auto result = run_command(command);
  if (!result) return result.error();
  return result->succeeded();
}

Result<bool> undo_object(const LedgerEntry& entry) {
  auto exists = object_exists(entry);
  if (!exists) return exists.error();
  if (!*exists) return false;
  Command command;
  command.argv = entry.undo;
  command.timeout_ns = kCommandLimitNs;
  auto result = run_command(command);
  if (!result) return result.error();
  auto still = object_exists(entry);
  if (!still) return still.error();
  if (*still) return command_error(command, *result);
  return true;
}

}  // namespace

Result<bool> undo_entry(const LedgerEntry& entry, bool same_boot,
                        UndoMoment moment) {
  // These live in the kernel's memory. After a restart they are gone, and
  // what goes by the same name is somebody else's.
  const bool in_memory = entry.kind == "processes" || entry.kind == "loop" ||
                         entry.kind == "mount" || entry.kind == "slice";
  if (in_memory && !same_boot) return false;
  if (entry.kind == "processes") return undo_processes(entry.identity);
  if (entry.kind == "image" || entry.kind == "folder" || entry.kind == "file") {
    return undo_path(entry.identity);
  }
  if (entry.kind == "loop") return undo_loop(entry.identity);
  if (entry.kind == "mount") return undo_mount(entry.identity);
  if (entry.kind == "slice") return undo_slice(entry);
  if (entry.kind == "wipe") return undo_wipe(entry, same_boot, moment);
  if (entry.kind == "object") return undo_object(entry);
  return Error(Category::kInternal,
               "no rule to undo \"" + entry.kind +
                   "\": written by a newer version of cowbench");
}

std::string signature_list(const std::vector<Signature>& signatures) {
  std::vector<std::string> lines;
  for (const Signature& signature : signatures) {
    lines.push_back(signature.type + " " + signature.uuid);
  }
  return join(lines, "\n");
}

Result<UndoReport> undo_ledger(const std::string& path, UndoMoment moment) {
  auto contents = read_ledger(path);
  if (!contents) return contents.error();
  auto ledger = Ledger::open(path);
  if (!ledger) return ledger.error();
  const bool same_boot = contents->header.boot_id == boot_id();

  UndoReport report;
  for (auto entry = contents->open.rbegin(); entry != contents->open.rend();
       ++entry) {
    auto existed = undo_entry(*entry, same_boot, moment);
    if (!existed) {
      report.failed.push_back(entry->text() + ": " + existed.error().message());
      continue;
    }
    (*existed ? report.removed : report.absent).push_back(entry->text());
    if (Status status = ledger->strike(entry->id); !status) {
      return status.error();
    }
  }
  if (report.complete()) {
    if (Status status = remove_tree(path); !status) return status.error();
  }
  return report;
}

}  // namespace cowbench
