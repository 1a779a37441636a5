// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/directories.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cowbench/mounted.hpp>
#include <cstring>
#include <sstream>
#include <system_error>

#include "bcachefs/words.hpp"

namespace cowbench::bcachefs {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(COWBENCH_BAD_CONFIG,
              "directories: \"" + text + "\": " + why +
                  "; expected NAME:option=value,option=value");
}

std::string attribute(const std::string& path, const std::string& name) {
  char value[256];
  const ssize_t length =
      getxattr(path.c_str(), name.c_str(), value, sizeof value);
  if (length < 0) return std::string("(") + std::strerror(errno) + ")";
  return selected(std::string(value, static_cast<std::size_t>(length)));
}

}  // namespace

Directory parse_directory(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) refuse(text, "there is no colon");
  Directory directory;
  directory.name = text.substr(0, colon);
  if (directory.name.empty() || directory.name == "." ||
      directory.name == ".." || directory.name.find('/') != std::string::npos) {
    refuse(text, "\"" + directory.name + "\" cannot be a name in the root");
  }
  std::istringstream list(text.substr(colon + 1));
  for (std::string item; std::getline(list, item, ',');) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0 ||
        equals + 1 == item.size()) {
      refuse(text, "\"" + item + "\" is not an option and its value");
    }
    directory.options.emplace_back(item.substr(0, equals),
                                   item.substr(equals + 1));
  }
  if (directory.options.empty()) refuse(text, "there is no option");
  return directory;
}

std::vector<Directory> directories_of(const Host& host) {
  std::vector<Directory> directories;
  for (const std::string& text : host.text_list("directories")) {
    directories.push_back(parse_directory(text));
  }
  return directories;
}

std::string set_option_command(const std::string& help) {
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "set-file-option" || words[0] == "setattr") return words[0];
  }
  throw Error(COWBENCH_NOT_AVAILABLE,
              "directories: this release of bcachefs-tools lists neither "
              "set-file-option nor setattr, one of which sets the options of "
              "a directory");
}

void make_directory(const Host& host, const Directory& directory,
                    const std::string& subcommand) {
  const std::string path = host.mount_point() + "/" + directory.name;
  if (mkdir(path.c_str(), 0755) != 0) {
    throw std::system_error(errno, std::generic_category(), "make " + path);
  }
  std::vector<std::string> argv = {"bcachefs", subcommand};
  for (const auto& [name, value] : directory.options) {
    argv.push_back("--" + name + "=" + value);
  }
  argv.push_back(path);
  host.run_checked(argv);
}

void require_directory(const std::string& mount_point,
                       const Directory& directory) {
  const std::string path = mount_point + "/" + directory.name;
  for (const auto& [name, value] : directory.options) {
    require_effective("directory " + directory.name + ": " + name, value,
                      attribute(path, "bcachefs." + name));
  }
}

}  // namespace cowbench::bcachefs
