// SPDX-License-Identifier: Apache-2.0
// A command of the program, described once: parsing, help, man page and shell
// completion all come from this description.
#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/exit_code.hpp"

namespace cowbench {

namespace options = boost::program_options;

struct CommandLine {
  options::variables_map values;

  bool has(const char* name) const { return values.count(name) > 0; }
  std::string text(const char* name) const;
  std::vector<std::string> texts(const char* name) const;
};

struct CliCommand {
  std::string name;
  std::string summary;      // one line
  std::string arguments;    // "STACK...", for the usage line
  std::string description;  // a paragraph
  options::options_description options;
  // Name of the hidden option that takes positional arguments; empty: none.
  std::string positional;
  int maximum_positional = -1;
  std::function<int(const CommandLine&)> run;
};

// Every command, in the order of the help.
const std::vector<CliCommand>& all_commands();

// Messages for people go to standard error, behind the program's name.
void complain(const std::string& message);
int fail(const Error& error);
// All of them, then the exit code.
int fail(const std::vector<std::string>& messages, ExitCode code);
// Standard output, whole; a reader that went away is no error.
void print(const std::string& text);
// Columns of the terminal that standard output is, 0 when it is none.
std::size_t terminal_width();
bool stderr_is_terminal();

}  // namespace cowbench
