// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <sstream>

#include "cli/commands.hpp"
#include "cli/version.hpp"

namespace cowbench {

namespace {

struct ExitLine {
  int code;
  const char* meaning;
};

constexpr ExitLine kExitLines[] = {
    {kExitOk, "everything went well"},
    {kExitJobFailed, "a job or a check failed"},
    {kExitUsage, "the request is wrong; nothing was touched"},
    {kExitEnvironment, "this machine lacks something; nothing was touched"},
    {kExitRegression, "with compare --fail-on: b is proven worse than a"},
    {kExitInternal, "a bug in cowbench"},
    {kExitCannotTest, "with --bisect: this kernel cannot be tested (skip it)"},
    {kExitStopBisect,
     "with --bisect: the command is wrong; ends the bisection"},
    {kExitInterrupted, "interrupted by SIGINT and taken down"},
    {kExitTerminated, "ended by SIGTERM and taken down"}};

constexpr char kPurpose[] =
    "cowbench measures storage stacks, copy-on-write ones above all: it builds "
    "real multi-device stacks, runs phases on them, and says of every number "
    "how far it can be trusted.";

std::string exit_text() {
  std::string text = "Exit codes\n";
  for (const ExitLine& line : kExitLines) {
    std::string code = std::to_string(line.code);
    code.resize(5, ' ');
    text += "  " + code + line.meaning + "\n";
  }
  return text;
}

// "--profile NAME" without leading blanks, for man page and completion.
std::string option_words(const options::option_description& option) {
  std::string words = option.format_name();
  const std::string value = option.format_parameter();
  return value.empty() ? words : words + " " + value;
}

// roff takes a leading dot or quote for a request, and a hyphen for a minus.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '-') escaped += '\\';
    escaped += c;
  }
  if (!escaped.empty() && (escaped[0] == '.' || escaped[0] == '\'')) {
    escaped.insert(0, "\\&");
  }
  return escaped;
}

std::string man_text() {
  std::string page = ".TH COWBENCH 1 \"\" \"cowbench " +
                     std::string(kProductVersion) +
                     "\" \"User Commands\"\n.SH NAME\ncowbench \\- measure "
                     "storage stacks\n.SH SYNOPSIS\n.B cowbench\nCOMMAND "
                     "[OPTION]... [ARGUMENT]...\n.SH DESCRIPTION\n" +
                     roff(kPurpose) + "\n.SH COMMANDS\n";
  for (const CliCommand& command : all_commands()) {
    page += ".SS " + command.name + " " + roff(command.arguments) + "\n" +
            roff(command.description) + "\n";
    for (const auto& option : command.options.options()) {
      page += ".TP\n.B " + roff(option_words(*option)) + "\n" +
              roff(option->description()) + "\n";
    }
  }
  page += ".SH EXIT STATUS\n";
  for (const ExitLine& line : kExitLines) {
    page += ".TP\n.B " + std::to_string(line.code) + "\n" + roff(line.meaning) +
            "\n";
  }
  return page;
}

std::string completion_text() {
  std::string names;
  std::string cases;
  for (const CliCommand& command : all_commands()) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string words;
    for (const auto& option : command.options.options()) {
      words += (words.empty() ? "--" : " --") + option->long_name();
    }
    cases += "    " + command.name + ") words=\"" + words + "\" ;;\n";
  }
  return "# bash completion for cowbench; made by: cowbench completion\n"
         "_cowbench() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         names +
         " help\" -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases +
         "  esac\n"
         "  if [ \"${COMP_WORDS[1]}\" = run ] && [[ $current != -* ]]; then\n"
         "    words=\"$(cowbench list stacks 2>/dev/null | awk 'NR>2{print "
         "$1}')\"\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _cowbench cowbench\n";
}

CliCommand printing_command(const char* name, const char* summary,
                            std::string (*text)()) {
  CliCommand command;
  command.name = name;
  command.summary = summary;
  command.description = std::string("Prints ") + summary +
                        ", made from the same description as the help.";
  command.run = [text](const CommandLine&) {
    print(text());
    return static_cast<int>(kExitOk);
  };
  return command;
}

}  // namespace

std::string general_help() {
  std::string text = std::string(kPurpose) +
                     "\n\nUsage: cowbench COMMAND [OPTION]... "
                     "[ARGUMENT]...\n\nCommands\n";
  for (const CliCommand& command : all_commands()) {
    std::string name = command.name;
    name.resize(12, ' ');
    text += "  " + name + command.summary + "\n";
  }
  return text +
         "\n`cowbench COMMAND --help` tells of one command, `cowbench "
         "--version` of the version.\n\n" +
         exit_text();
}

std::string command_help(const CliCommand& command) {
  std::ostringstream text;
  text << "Usage: cowbench " << command.name << " [OPTION]..."
       << (command.arguments.empty() ? "" : " ") << command.arguments << "\n\n"
       << command.description << "\n\nOptions\n"
       << command.options << "\n"
       << exit_text();
  return text.str();
}

CliCommand make_man_command() {
  return printing_command("man", "the man page (troff)", man_text);
}

CliCommand make_completion_command() {
  return printing_command("completion", "completion code for bash",
                          completion_text);
}

}  // namespace cowbench
