// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cowbench::bcachefs {

// A directory in the root whose files get options of their own.
struct Directory {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};

// "NAME:option=value,option=value". Throws Error(COWBENCH_BAD_CONFIG).
Directory parse_directory(const std::string& text);

std::vector<Directory> directories_of(const Host& host);

// The subcommand of bcachefs that sets options of files: "set-file-option",
// "setattr" in older releases. `help` is what `bcachefs --help` writes. Throws
// Error(COWBENCH_NOT_AVAILABLE) when it lists neither.
std::string set_option_command(const std::string& help);

// Makes it below the mount point and sets its options.
void make_directory(const Host& host, const Directory& directory,
                    const std::string& subcommand);

// Reads the options back from the directory's attributes. Throws
// Error(COWBENCH_TOOL_FAILED) when one is not as asked for.
void require_directory(const std::string& mount_point,
                       const Directory& directory);

}  // namespace cowbench::bcachefs
