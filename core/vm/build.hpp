// SPDX-License-Identifier: Apache-2.0
// Builds a guest from a recipe, in stages that a cache keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "system/process.hpp"
#include "vm/guest_image.hpp"
#include "vm/recipe.hpp"

namespace cowbench {

// What a stage came to, as soon as it is known.
struct StageReport {
  std::string name;
  double seconds = 0;
  std::uint64_t bytes = 0;  // that it takes up
  bool cached = false;
  std::string note;  // what else is to be said; may be empty
};

struct BuildRequest {
  Recipe recipe;
  std::string guest_name;
  std::string cache;
  std::string mirror;  // empty: the host's
  // A suite, a release or package of a kernel, or a path of packages or of a
  // folder with unpacked ones; empty: the recipe's.
  std::string kernel;
  unsigned jobs = 1;           // of the compiler
  std::string scripts_folder;  // with init/ and build/
  // A stage begins (its name), and ends.
  std::function<void(const std::string&)> begins;
  std::function<void(const StageReport&)> ends;
  // Something that is not as it should be, but no failure.
  std::function<void(const std::string&)> warn;
  ShouldStop should_stop;
};

struct BuildResult {
  GuestImage guest;
  std::vector<StageReport> stages;
  bool nothing_to_do = false;  // all of it was there
};

// A program that building needs, and the package that brings it.
struct NeededTool {
  std::string program;
  std::string package;
  bool found = false;
};

// What building this recipe needs; all of it, found or not.
std::vector<NeededTool> needed_tools(const Recipe& recipe);

// kEnvironment names every program that is missing, with its package;
// kNoSpace what is needed and what is free. Waits for another build of the
// same cache, and says so. What ended early is thrown away, what is whole is
// kept.
Result<BuildResult> build_guest(const BuildRequest& request);

// The first line in which a compiler, configure or make says what is wrong;
// else the last line. One line, at most 200 bytes.
std::string compiler_reason(std::string_view log);

// The line in which a build tells that the machine ran out of space or memory,
// at most 200 bytes; empty when it does not. Such a failure says nothing of
// what was built.
std::string fault_of_machine(std::string_view log);

}  // namespace cowbench
