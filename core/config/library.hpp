// SPDX-License-Identifier: Apache-2.0
// Finds stack, profile and suite files by name. The only part of config/ that
// reads files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/problem.hpp"

namespace cowbench {

enum class ConfigKind { kStack, kProfile, kSuite, kGuest };

// A file as read, not yet checked.
struct ConfigFile {
  std::string name;  // its stem
  std::filesystem::path path;
  std::string text;
};

// Stacks lie in <directory>/stacks/<name>.json, profiles in profiles/, suites
// in suites/ and recipes of guests in guests/ beside it; of two files of one
// name the one in the earlier directory counts. Reads the directories at each
// call. Any thread.
class ConfigLibrary {
 public:
  explicit ConfigLibrary(std::vector<std::filesystem::path> directories)
      : directories_(std::move(directories)) {}

  const std::vector<std::filesystem::path>& directories() const {
    return directories_;
  }

  // Every readable file, by name.
  std::vector<ConfigFile> list(ConfigKind kind) const;

  // `wanted` is a name, or a path when it ends in ".json". A stack may also be
  // called by its "published" id or its name with a slash for a dash: "a/b".
  // The problem names the nearest known name and where it was looked for.
  std::variant<ConfigFile, Problem> find(ConfigKind kind,
                                         const std::string& wanted) const;

 private:
  std::vector<std::filesystem::path> directories_;
};

// Where to look: the directories given (--config-dir), in order, then the one
// that belongs to this program, <program>/../share/cowbench or wherever the
// build put it.
std::vector<std::filesystem::path> default_config_search(
    std::vector<std::filesystem::path> given);

}  // namespace cowbench
