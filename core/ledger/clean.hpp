// SPDX-License-Identifier: Apache-2.0
// Finding and undoing the ledgers of runs that died.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "ledger/undo.hpp"

namespace cowbench {

// What became of one ledger.
struct CleanedLedger {
  std::string path;
  LedgerHeader header;
  bool live = false;  // its run is still going: left alone
  UndoReport report;
  std::string error;  // why the ledger itself could not be worked on
};

// Looks at every ledger in `folder`. Those whose run is dead are undone; those
// that are locked by a live run are left alone. With `dry_run` nothing is
// touched and report.removed names what would be undone. What others than root
// could have written is not believed. An absent folder has no ledgers.
std::vector<CleanedLedger> clean_ledgers(const std::string& folder,
                                         bool dry_run);

}  // namespace cowbench
