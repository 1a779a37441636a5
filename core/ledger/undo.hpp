// SPDX-License-Identifier: Apache-2.0
// Undoing what a ledger holds, newest first, without any plugin.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "ledger/ledger.hpp"
#include "system/signature.hpp"

namespace cowbench {

// What became of the open entries of a ledger.
struct UndoReport {
  std::vector<std::string> removed;  // existed, and are gone now
  std::vector<std::string> absent;   // were gone already
  std::vector<std::string> failed;   // still there, with the reason

  bool complete() const { return failed.empty(); }
};

// When a ledger is undone. Later than at the end of its job a device may have
// been put to another use: then only signatures that the job recorded are
// wiped.
enum class UndoMoment { kEndOfJob, kLater };

// Makes one object go away and verifies that it has. True: it existed.
Result<bool> undo_entry(const LedgerEntry& entry, bool same_boot,
                        UndoMoment moment);

// Undoes every open entry; goes on past failures. Entries that are verifiably
// gone are struck off; when all are, the ledger file is removed too.
Result<UndoReport> undo_ledger(const std::string& path, UndoMoment moment);

// The signatures as the "signatures" parameter of a "wipe" entry holds them.
std::string signature_list(const std::vector<Signature>& signatures);

}  // namespace cowbench
