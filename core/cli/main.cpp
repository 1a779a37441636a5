// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/version.hpp"
#include "job/step.hpp"
#include "job/step_process.hpp"
#include "job/worker.hpp"
#include "vm/guest_entry.hpp"

namespace cowbench {

const std::vector<CliCommand>& all_commands() {
  static const std::vector<CliCommand> kAll = [] {
    std::vector<CliCommand> all;
    all.push_back(make_run_command());
    all.push_back(make_list_command());
    all.push_back(make_show_command());
    all.push_back(make_report_command());
    all.push_back(make_compare_command());
    all.push_back(make_score_command());
    all.push_back(make_clean_command());
    all.push_back(make_doctor_command());
    all.push_back(make_plugin_command());
    all.push_back(make_vm_command());
    all.push_back(make_man_command());
    all.push_back(make_completion_command());
    for (CliCommand& command : all) {
      command.options.add_options()("help,h", "this text");
    }
    return all;
  }();
  return kAll;
}

namespace {

// Long names of a command's options, for messages.
std::vector<std::string> option_names(const CliCommand& command) {
  std::vector<std::string> names;
  for (const auto& option : command.options.options()) {
    names.push_back("--" + option->long_name());
  }
  return names;
}

int run_command_line(const CliCommand& command,
                     const std::vector<std::string>& arguments) {
  options::options_description all;
  all.add(command.options);
  options::positional_options_description positional;
  if (!command.positional.empty()) {
    all.add_options()(command.positional.c_str(),
                      options::value<std::vector<std::string>>());
    positional.add(command.positional.c_str(), command.maximum_positional);
  }
  CommandLine line;
  const std::string how = "; see: cowbench " + command.name + " --help";
  try {
    namespace style = options::command_line_style;
    options::store(options::command_line_parser(arguments)
                       .options(all)
                       .positional(positional)
                       // Guessing from prefixes would make every new option
                       // change what scripts mean.
                       .style(style::unix_style & ~style::allow_guessing)
                       .run(),
                   line.values);
    if (line.has("help")) {
      print(command_help(command));
      return kExitOk;
    }
    options::notify(line.values);
  } catch (const options::unknown_option& error) {
    return fail(
        {command.name + ": there is no option " + error.get_option_name() +
         did_you_mean(error.get_option_name(), option_names(command)) + how},
        kExitUsage);
  } catch (const options::error& error) {
    return fail({command.name + ": " + error.what() + how}, kExitUsage);
  }
  return command.run(line);
}

int internal(const std::string& name, const std::vector<std::string>& rest) {
  if (rest.size() != 2) {
    return fail({name + " is started by cowbench itself"}, kExitUsage);
  }
  if (name == kGuestCommand) return run_guest(rest[0], rest[1]);
  const int fd = std::atoi(rest[0].c_str());
  return name == kWorkerCommand ? run_worker(fd, rest[1])
                                : run_step(fd, rest[1]);
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(general_help().c_str(), stderr);
    return kExitUsage;
  }
  const std::string& name = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (name == kWorkerCommand || name == kStepCommand || name == kGuestCommand) {
    return internal(name, rest);
  }
  if (name == "--version") {
    print(std::string("cowbench ") + kProductVersion + "\n");
    return kExitOk;
  }
  const bool help = name == "help" || name == "--help" || name == "-h";
  const std::string wanted = help && !rest.empty() ? rest.front() : name;
  if (help && rest.empty()) {
    print(general_help());
    return kExitOk;
  }
  std::vector<std::string> known;
  for (const CliCommand& command : all_commands()) {
    known.push_back(command.name);
    if (command.name != wanted) continue;
    if (!help) return run_command_line(command, rest);
    print(command_help(command));
    return kExitOk;
  }
  return fail({"there is no command \"" + wanted + "\"" +
               did_you_mean(wanted, known) + "; see: cowbench help"},
              kExitUsage);
}

}  // namespace
}  // namespace cowbench

int main(int argc, char** argv) {
  try {
    return cowbench::dispatch(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cowbench: internal error: %s\n", error.what());
    return cowbench::kExitInternal;
  }
}
