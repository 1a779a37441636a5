// SPDX-License-Identifier: Apache-2.0
#include "cli/vm.hpp"

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"

namespace cowbench {

namespace {

struct Action {
  const char* name;
  int (*run)(const CommandLine&, const VmWords&);
};

// To add one: declare it in vm.hpp, add it here and its options below.
constexpr Action kActions[] = {
    {"build", vm_build}, {"doctor", vm_doctor}, {"list", vm_list},
    {"run", vm_run},     {"shell", vm_shell},
};

int vm(const CommandLine& line) {
  VmWords words = line.texts("word");
  const std::string wanted = words.empty() ? "list" : words.front();
  if (!words.empty()) words.erase(words.begin());
  std::vector<std::string> known;
  for (const Action& action : kActions) {
    if (action.name == wanted) return action.run(line, words);
    known.emplace_back(action.name);
  }
  return fail(
      {"vm " + wanted + ": there is no such action" +
       did_you_mean(wanted, known) + "; give one of " + join(known, ", ")},
      kExitUsage);
}

}  // namespace

CliCommand make_vm_command() {
  CliCommand command;
  command.name = "vm";
  command.summary = "build and use virtual machines to measure in";
  command.arguments =
      "build [NAME] | doctor | list | run -- COMMAND... | shell";
  command.description =
      "Guests give kernels and modules that this machine lacks, and touch "
      "nothing of it. Running one needs no root. Building one needs root, or "
      "the package uidmap and lines of this user in /etc/subuid and "
      "/etc/subgid.";
  command.options.add_options()("json", "as JSON")(
      "cache-dir", options::value<std::string>()->value_name("DIR"),
      "where guests are (default: $COWBENCH_CACHE_DIR, else "
      "/var/cache/cowbench for root, ~/.cache/cowbench for others)");
  add_vm_build_options(command.options);
  add_vm_run_options(command.options);
  add_search_options(command.options);
  command.positional = "word";
  command.run = vm;
  return command;
}

}  // namespace cowbench
