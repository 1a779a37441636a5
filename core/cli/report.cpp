// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "cli/report_html.hpp"
#include "report/overhead.hpp"
#include "report/summary.hpp"
#include "result/store.hpp"

namespace cowbench {

namespace {

std::string summary_in(Format format, const Summary& summary) {
  switch (format) {
    case Format::kMarkdown:
      return summary_markdown(summary);
    case Format::kCsv:
      return summary_csv(summary);
    case Format::kJson:
      return summary_json(summary) + "\n";
    case Format::kText:
      break;
  }
  return summary_text(summary, terminal_width());
}

std::string overhead_in(Format format, const Overhead& overhead) {
  switch (format) {
    case Format::kMarkdown:
      return overhead_markdown(overhead);
    case Format::kCsv:
      return overhead_csv(overhead);
    case Format::kJson:
      return overhead_json(overhead) + "\n";
    case Format::kText:
      break;
  }
  return overhead_text(overhead, terminal_width());
}

int report(const CommandLine& line) {
  std::vector<std::string> faults;
  const Format format = format_of(line, faults);
  if (!faults.empty()) return fail(faults, kExitUsage);
  auto paths = line.texts("path");
  if (paths.empty()) paths = {"cowbench-results"};
  if (line.has("html")) {
    return report_html(paths, line.text("html"), config_library_of(line));
  }
  const ResultSet set = load_results(paths);
  for (const UnreadableResult& bad : set.unreadable) {
    complain(bad.path + ": " + bad.reason);
  }
  if (set.results.empty()) {
    return fail({"report: no result below " + join(paths, ", ")}, kExitUsage);
  }
  std::vector<ResultDocument> documents;
  for (const StoredResult& stored : set.results) {
    documents.push_back(stored.document);
  }
  if (line.has("overhead")) {
    print(overhead_in(format, measure_overhead(documents)));
  } else {
    SummaryOptions summary_options;
    summary_options.all = line.has("all");
    if (line.has("stacks")) {
      summary_options.stacks = split(line.text("stacks"), ',');
    }
    print(summary_in(format, summarise(documents, summary_options)));
  }
  return set.unreadable.empty() ? kExitOk : kExitJobFailed;
}

}  // namespace

CliCommand make_report_command() {
  CliCommand command;
  command.name = "report";
  command.summary = "put results side by side";
  command.arguments = "[PATH...]";
  command.description =
      "Summarises the results below the given paths (default: "
      "cowbench-results): a row for each metric, a column for each stack, "
      "medians with n and range. With --html a page for a browser instead, in "
      "one file; it takes folders of published results too.";
  add_format_options(command.options);
  command.options.add_options()("all",
                                "also details and what was not requested")(
      "stacks", options::value<std::string>()->value_name("LIST"),
      "order of the columns (comma separated)")(
      "overhead", "where the time went instead: set-up, tear-down, harness");
  command.options.add_options()(
      "html", options::value<std::string>()->value_name("FILE"),
      "write a page to this file that needs no network")(
      "config-dir",
      options::value<std::vector<std::string>>()->composing()->value_name(
          "DIR"),
      "look for metrics/ and score/ here first (repeatable)");
  command.positional = "path";
  command.run = report;
  return command;
}

}  // namespace cowbench
