// SPDX-License-Identifier: Apache-2.0
#include "ledger/clean.hpp"

#include "system/file.hpp"
#include "system/file_lock.hpp"

namespace cowbench {

namespace {

CleanedLedger clean_one(const std::string& path, bool dry_run) {
  CleanedLedger cleaned;
  cleaned.path = path;
  // A ledger holds commands that are run as root.
  if (Status ours = check_private(path); !ours) {
    cleaned.error = ours.error().message();
    return cleaned;
  }
  auto contents = read_ledger(path);
  if (!contents) {
    cleaned.error = contents.error().message();
    return cleaned;
  }
  cleaned.header = contents->header;
  auto lock = FileLock::try_lock(path);
  if (!lock) {
    cleaned.error = lock.error().message();
    return cleaned;
  }
  if (!*lock) {
    cleaned.live = true;
    return cleaned;
  }
  if (dry_run) {
    for (auto entry = contents->open.rbegin(); entry != contents->open.rend();
         ++entry) {
      cleaned.report.removed.push_back(entry->text());
    }
    return cleaned;
  }
  auto report = undo_ledger(path, UndoMoment::kLater);
  if (report) {
    cleaned.report = std::move(report).value();
  } else {
    cleaned.error = report.error().message();
  }
  return cleaned;
}

}  // namespace

std::vector<CleanedLedger> clean_ledgers(const std::string& folder,
                                         bool dry_run) {
  std::vector<CleanedLedger> all;
  if (!path_exists(folder)) return all;
  if (Status ours = check_private(folder); !ours) {
    all.emplace_back();
    all.back().path = folder;
    all.back().error = ours.error().message();
    return all;
  }
  for (const std::string& name : list_folder(folder)) {
    if (!name.ends_with(".jsonl")) continue;
    all.push_back(clean_one(folder + "/" + name, dry_run));
  }
  return all;
}

}  // namespace cowbench
