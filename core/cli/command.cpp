// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace cowbench {

std::string CommandLine::text(const char* name) const {
  return has(name) ? values[name].as<std::string>() : std::string();
}

std::vector<std::string> CommandLine::texts(const char* name) const {
  return has(name) ? values[name].as<std::vector<std::string>>()
                   : std::vector<std::string>();
}

void complain(const std::string& message) {
  std::fprintf(stderr, "cowbench: %s\n", message.c_str());
}

int fail(const Error& error) {
  complain(error.message());
  return exit_code_of(error);
}

int fail(const std::vector<std::string>& messages, ExitCode code) {
  for (const std::string& message : messages) complain(message);
  return code;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 ||
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
    return 0;
  }
  return size.ws_col;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace cowbench
