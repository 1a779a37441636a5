// SPDX-License-Identifier: Apache-2.0
#include "ledger/clean.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

void write_texts(JsonWriter& json, const char* key,
                 const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

std::string json_of(const std::vector<CleanedLedger>& ledgers) {
  JsonWriter json;
  json.begin_object().key("ledgers").begin_array();
  for (const CleanedLedger& ledger : ledgers) {
    json.begin_object()
        .field("path", ledger.path)
        .field("job_id", ledger.header.job_id)
        .field("live", ledger.live)
        .field("error", ledger.error);
    write_texts(json, "removed", ledger.report.removed);
    write_texts(json, "absent", ledger.report.absent);
    write_texts(json, "failed", ledger.report.failed);
    json.end_object();
  }
  return json.end_array().end_object().text() + "\n";
}

std::string text_of(const std::vector<CleanedLedger>& ledgers, bool dry_run) {
  if (ledgers.empty()) return "Nothing to clean: no ledger is open.\n";
  std::string text;
  for (const CleanedLedger& ledger : ledgers) {
    text += "Job " + ledger.header.job_id;
    if (ledger.live) {
      text += ": still running, left alone\n";
      continue;
    }
    text += " of " + ledger.header.started_at + "\n";
    for (const std::string& item : ledger.report.removed) {
      text += (dry_run ? "  would remove: " : "  removed: ") + item + "\n";
    }
    for (const std::string& item : ledger.report.absent) {
      text += "  was gone already: " + item + "\n";
    }
    for (const std::string& item : ledger.report.failed) {
      text += "  NOT REMOVED: " + item + "\n";
    }
    if (!ledger.error.empty()) text += "  " + ledger.error + "\n";
  }
  return text;
}

// Runs in guests need no root, and neither does what is left of them.
bool is_own(const std::string& folder) {
  struct stat facts {};
  return stat(folder.c_str(), &facts) == 0 ? facts.st_uid == geteuid()
                                           : errno == ENOENT;
}

int clean(const CommandLine& line) {
  const bool dry_run = line.has("dry-run");
  const std::string folder = state_folder_of(line, true) + "/ledgers";
  if (!dry_run && geteuid() != 0 && !is_own(folder)) {
    return fail({"clean needs root for what is not yours (" + folder +
                 "); run it with sudo (--dry-run shows what it would do)"},
                kExitEnvironment);
  }
  if (Status readable = check_readable_folder(folder); !readable) {
    return fail(readable.error());
  }
  const auto ledgers = clean_ledgers(folder, dry_run);
  bool complete = true;
  for (const CleanedLedger& ledger : ledgers) {
    complete = complete && ledger.error.empty() && ledger.report.complete();
    if (!dry_run && !ledger.live) conclude_dead_job(ledger);
  }
  print(line.has("json") ? json_of(ledgers) : text_of(ledgers, dry_run));
  return complete ? kExitOk : kExitJobFailed;
}

}  // namespace

CliCommand make_clean_command() {
  CliCommand command;
  command.name = "clean";
  command.summary = "remove what runs that died left behind";
  command.description =
      "Undoes, newest first, exactly what the ledgers of dead runs hold: "
      "processes, mounts, loop devices, images. Runs that are still going are "
      "left alone. A second clean finds nothing.";
  command.options.add_options()("dry-run,n", "only show what would be removed")(
      "json", "as JSON");
  add_state_option(command.options);
  command.run = clean;
  return command;
}

}  // namespace cowbench
