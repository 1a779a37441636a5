// SPDX-License-Identifier: Apache-2.0
#include "report/compare.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "report/figure.hpp"
#include "result/selection.hpp"

namespace cowbench {

namespace {

// "5%" is 0.05; "any" is 0.
std::optional<double> parse_share(std::string text) {
  if (text == "any") return 0.0;
  if (text.empty() || text.back() != '%') return {};
  text.pop_back();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0.0 && value <= 1000.0)) {
    return {};
  }
  return value / 100.0;
}

std::string in_format(Format format, const Comparison& comparison) {
  switch (format) {
    case Format::kMarkdown:
      return comparison_markdown(comparison);
    case Format::kCsv:
      return comparison_csv(comparison);
    case Format::kJson:
      return comparison_json(comparison) + "\n";
    case Format::kText:
      break;
  }
  return comparison_text(comparison, terminal_width());
}

int judge_regressions(const Comparison& comparison, double share) {
  const auto found = regressions(comparison, share);
  for (const auto& [pair, metric] : found) {
    complain("regression: " + pair->stack_b + ": " + metric->phase + "." +
             metric->key + ": b is " + metric->verdict + " (p " +
             rounded_figure(metric->p_corrected.value_or(1.0)) + ")");
  }
  return found.empty() ? kExitOk : kExitRegression;
}

int run_compare(const CommandLine& line) {
  std::vector<std::string> faults;
  const auto words = line.texts("side");
  if (words.size() != 2) {
    faults.push_back("compare: give two sides, there are " +
                     std::to_string(words.size()) +
                     "; see: cowbench compare --help");
  }
  const Format format = format_of(line, faults);
  std::optional<double> share;
  if (line.has("fail-on")) {
    share = parse_share(line.text("fail-on"));
    if (!share) {
      faults.push_back("--fail-on " + line.text("fail-on") +
                       ": give \"any\" or a share like 5%");
    }
  }
  std::vector<Selection> sides;
  for (const std::string& word : words) {
    auto selected = select_results(word, line.text("in"));
    if (selected) {
      sides.push_back(std::move(*selected));
    } else {
      faults.push_back("compare: " + selected.error().message());
    }
  }
  if (!faults.empty()) return fail(faults, kExitUsage);
  CompareOptions compare_options;
  compare_options.all = line.has("all");
  const Comparison comparison =
      compare(sides[0].documents, sides[1].documents, sides[0].name,
              sides[1].name, compare_options);
  print(in_format(format, comparison));
  return share ? judge_regressions(comparison, *share) : kExitOk;
}

}  // namespace

CliCommand make_compare_command() {
  CliCommand command;
  command.name = "compare";
  command.summary = "hold two sets of results against each other";
  command.arguments = "A B";
  command.description =
      "A and B are paths of results, or stacks, runs, kernels or labels of the "
      "results below --in. Stacks of the same name are compared; two different "
      "ones when each side has only one. For each metric: medians over jobs, "
      "their ratio with an interval, the p-value of the Mann-Whitney test "
      "corrected for the number of metrics, and what follows from it in words. "
      "A difference can be proven from four jobs a side on, better from six.";
  command.options.add_options()(
      "in",
      options::value<std::string>()
          ->default_value("cowbench-results")
          ->value_name("DIR"),
      "where stacks, runs, kernels and labels are looked for")(
      "fail-on", options::value<std::string>()->value_name("SHARE"),
      "exit code 4 when B is proven worse in a metric by at least this share "
      "of A's median, as 5%, or \"any\"")("all", "also details");
  add_format_options(command.options);
  command.positional = "side";
  command.run = run_compare;
  return command;
}

}  // namespace cowbench
