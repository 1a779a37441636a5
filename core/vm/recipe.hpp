// SPDX-License-Identifier: Apache-2.0
// A recipe: what a guest is built from. All that is particular to one
// distribution, kernel or filesystem stands in such a file, none of it in code.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/library.hpp"
#include "config/problem.hpp"

namespace cowbench {

// Packages that may come from another suite, and only they.
struct AlsoFrom {
  std::string suite;
  std::vector<std::string> components;
  std::vector<std::string> packages;  // names or glob patterns
};

// The program that makes a read-only image of a folder, as
// PROGRAM ARGUMENT... IMAGE FOLDER.
struct ImageTool {
  std::string program;
  std::string package;  // that brings it
  std::string suffix;
  std::vector<std::string> arguments;
  std::vector<std::string> owned_by_root;  // further ones: all files are root's
};

struct KernelPart {
  std::string package;               // pulls in the kernel
  std::string suite;                 // empty: that of the recipe
  std::vector<std::string> parts;    // patterns of the packages with its files
  std::string headers;               // package; {release} is replaced
  std::vector<std::string> modules;  // folders or single modules that are kept
};

struct ModulePart {
  std::string name;
  std::string kind;     // the build script of that name
  std::string package;  // {release} and {version} are replaced
  std::string suite;    // empty: that of the recipe
  std::string path;     // in the package's sources; empty: does not apply
  std::vector<std::pair<std::string, std::string>> config;  // make variables
  std::vector<std::string> defines;
  std::vector<std::string> keep;  // modules, without suffix
};

struct Recipe {
  std::string name;
  std::string summary;
  std::string suite;
  std::vector<std::string> components;
  std::string keyring;
  std::uint64_t space_bytes = 0;  // that a whole build needs
  std::vector<std::string> root_packages;
  std::vector<AlsoFrom> root_also;
  std::vector<std::string> leave_out;  // path patterns, for the root
  ImageTool image;
  KernelPart kernel;
  std::vector<ModulePart> extra_modules;
  std::vector<std::string> initrd_modules;
  std::vector<std::string> modprobe;
  std::vector<std::string> command_line;
  std::string json;  // the whole recipe, what it extends included
};

// Checks `text` (read from `path`); `base` is the text of the recipe that it
// extends, empty when it extends none. Pure.
std::variant<Recipe, Problems> check_recipe(std::string_view text,
                                            const std::string& path,
                                            std::string_view base = {},
                                            const std::string& base_path = {});

// Finds a recipe by name (or path, when it ends in ".json") and checks it.
std::variant<Recipe, Problems> find_recipe(const ConfigLibrary& library,
                                           const std::string& wanted);

}  // namespace cowbench
