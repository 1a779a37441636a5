// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "cli/published_input.hpp"
#include "report/score_output.hpp"

namespace cowbench {

namespace {

std::string in_format(Format format, const ScoreReport& report) {
  switch (format) {
    case Format::kMarkdown:
      return score_markdown(report);
    case Format::kCsv:
      return score_csv(report);
    case Format::kJson:
      return score_json(report) + "\n";
    case Format::kText:
      break;
  }
  return score_text(report, terminal_width());
}

Result<ScoreModel> model_of(const CommandLine& line) {
  auto text = read_config(config_library_of(line),
                          "score/" + line.text("model") + ".json");
  if (!text) return text.error();
  return parse_score_model(*text);
}

int run_score(const CommandLine& line) {
  std::vector<std::string> faults;
  const Format format = format_of(line, faults);
  const auto model = model_of(line);
  if (!model) faults.push_back("--model: " + model.error().message());
  const auto paths = line.texts("path");
  if (paths.size() != 1) {
    faults.push_back(
        "score: give one folder of published results; see: "
        "cowbench score --help");
  }
  std::vector<std::string> folders;
  if (paths.size() == 1) {
    folders = published_folders(paths[0]);
    if (folders.size() != 1) {
      faults.push_back(
          paths[0] + ": " +
          (folders.empty() ? "no published results below it"
                           : "several sets of results: " + join(folders, ", ") +
                                 "; give one of them"));
    }
  }
  if (!faults.empty()) return fail(faults, kExitUsage);

  PublishedHistory history = load_published(folders[0]);
  for (const UnreadableDocument& bad : history.unreadable) {
    complain(bad.path + ": " + bad.reason);
  }
  const auto points = compress_history(std::move(history.runs), kRawRuns);
  const auto cohort = cohort_of(points, *model, line.text("cohort"));
  if (!cohort) {
    std::vector<std::string> known = {"all", "single", "multi",
                                      "family:<name>"};
    for (const auto& one : model->cohorts) known.push_back(one.first);
    return fail({"--cohort " + line.text("cohort") +
                 ": there is no such cohort; give one of " + join(known, ", ")},
                kExitUsage);
  }
  ScoreReport report;
  report.model = &*model;
  report.cohort = line.text("cohort");
  report.table = score(points, *model, *cohort);
  if (report.table.runs.empty()) {
    report.warnings.push_back("no run has all " +
                              std::to_string(cohort->size()) +
                              " configurations of this cohort");
  }
  print(in_format(format, report));
  return history.unreadable.empty() ? kExitOk : kExitJobFailed;
}

}  // namespace

CliCommand make_score_command() {
  CliCommand command;
  command.name = "score";
  command.summary = "condense published results to one number a configuration";
  command.arguments = "FOLDER";
  command.description =
      "Scores of published modern-fs-benchmark results, exactly as that "
      "project's page computes them: geometric means of ratios to the median "
      "of the cohort, over the last complete runs. A score depends on what it "
      "is compared with, and has no interval; read the metrics before it.";
  add_search_options(command.options);
  command.options.add_options()("model",
                                options::value<std::string>()
                                    ->default_value("published-v1")
                                    ->value_name("NAME"),
                                "file below score/ of the configurations")(
      "cohort",
      options::value<std::string>()->default_value("all")->value_name("NAME"),
      "all, single, multi, cow, classic or family:<name>");
  add_format_options(command.options);
  command.positional = "path";
  command.run = run_score;
  return command;
}

}  // namespace cowbench
