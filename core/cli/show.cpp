// SPDX-License-Identifier: Apache-2.0
#include "report/show.hpp"

#include "cli/commands.hpp"
#include "result/fold.hpp"
#include "result/store.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

int show(const CommandLine& line) {
  const auto paths = line.texts("path");
  if (paths.empty()) {
    return fail({"show: name a result.json, a job's or a run's folder"},
                kExitUsage);
  }
  const ResultSet set = load_results(paths);
  for (const UnreadableResult& bad : set.unreadable) {
    complain(bad.path + ": " + bad.reason);
  }
  for (const StoredResult& stored : set.results) {
    if (line.has("json")) {
      auto text = read_file(stored.path);
      if (!text) return fail(text.error());
      // A path to an event log is a job whose result was never written.
      if (stored.path.ends_with(".jsonl")) text = fold_events(*text);
      if (!text) return fail(text.error());
      print(*text);
    } else {
      print(show_text(stored.document, terminal_width()));
    }
  }
  return set.unreadable.empty() && !set.results.empty() ? kExitOk : kExitUsage;
}

}  // namespace

CliCommand make_show_command() {
  CliCommand command;
  command.name = "show";
  command.summary = "show everything that one result says";
  command.arguments = "PATH...";
  command.description =
      "Shows results in full: conditions, parameters in effect, members, and "
      "each phase with its outcome, figures and I/O per member.";
  command.options.add_options()("json", "the result document itself");
  command.positional = "path";
  command.run = show;
  return command;
}

}  // namespace cowbench
