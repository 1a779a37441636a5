// SPDX-License-Identifier: Apache-2.0
// The write-ahead ledger: every system object of a job is entered here,
// durably, before it is made, and struck off once it is verifiably gone. It is
// all that `cowbench clean` needs after a kill -9.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "system/append_file.hpp"

namespace cowbench {

// One object, with what is needed to find and undo it without the plugin that
// made it.
//
//   kind         identity                 parameters
//   "processes"  value of the job tag     -
//   "folder"     path                     - (removed with its content)
//   "file"       path                     -
//   "image"      path of the file         -
//   "loop"       path of the image        -
//   "slice"      path of the disk         number, start_bytes
//   "wipe"       path of the device       number (major:minor), size_bytes;
//                                         signatures, once they are known
//   "mount"      mount point              -
//   "object"     name, for people         kind, exists, undo (argv as JSON)
struct LedgerEntry {
  std::uint64_t id = 0;
  std::string kind;
  std::string identity;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::string> exists;  // argv, "object" only
  std::vector<std::string> undo;    // argv, "object" only

  std::string parameter(const std::string& key) const;
  // "loop device over /x/data0.img", for messages.
  std::string text() const;
};

// Who a ledger belongs to.
struct LedgerHeader {
  std::string job_id;
  std::string boot_id;
  std::string started_at;
  std::string results;  // the job's result folder
};

// Appends to one ledger file. Several processes of a job may have it open;
// each line is one write.
class Ledger {
 public:
  // Starts a ledger in a new file, or in the empty one that its lock made; a
  // file with content is an error.
  static Result<Ledger> create(const std::string& path,
                               const LedgerHeader& header);
  static Result<Ledger> open(const std::string& path);

  // Durable on return. `entry.id` is chosen here and returned.
  Result<std::uint64_t> add(LedgerEntry entry);
  Status strike(std::uint64_t id);
  // Adds a parameter to an open entry, durably.
  Status amend(std::uint64_t id, const std::string& key,
               const std::string& value);

  const std::string& path() const { return file_.path(); }

 private:
  explicit Ledger(AppendFile file) : file_(std::move(file)) {}
  AppendFile file_;
};

struct LedgerContents {
  LedgerHeader header;
  std::vector<LedgerEntry> open;  // not struck off, oldest first
};

// Reads a ledger. A torn line is ignored: its writer died before it acted on
// it. An empty file is a ledger whose job died before it made anything.
Result<LedgerContents> read_ledger(const std::string& path);

}  // namespace cowbench
