// SPDX-License-Identifier: Apache-2.0
// A stack file: layers wired over groups of members, ending in a filesystem.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/problem.hpp"
#include "config/vocabulary.hpp"

namespace cowbench {

struct GroupUse {
  std::string name;         // "data", "spare", ...
  std::uint32_t count = 1;  // members
  double scale = 1.0;       // of the profile's member size
  std::string model;        // "", "hdd", "ssd", "nvme": what a VM imitates
};

struct LayerUse {
  std::string use;              // plugin name
  std::vector<std::string> on;  // groups or earlier layers' names
  std::string as;               // its own name; default: use
  // Every option of the plugin that has a value, given or default.
  std::map<std::string, ConfigValue> options;
  // Which of them the file gave.
  std::vector<std::string> given;
};

struct Stack {
  std::string name;
  std::string family;       // of filesystems, for reports
  std::string stack_class;  // key "class": single, mirror, parity, tiered, ...
  std::string summary;
  std::string published;  // id in published results, "a/b"; or empty
  std::uint64_t minimum_member_bytes = 0;  // key "min_size"
  std::vector<GroupUse> groups;
  std::vector<LayerUse> layers;
  // "<layer's name>.<option>" -> the reason that the file gives
  std::map<std::string, std::string> why;
  std::string path;  // of the file
  std::string json;  // the file's text
};

// Group of members that stand by: no layer needs to stand on it.
constexpr std::string_view kSpareGroup = "spare";

// What the keys "class" and "model" may say.
const std::vector<std::string>& stack_classes();
const std::vector<std::string>& member_models();

// Checks `text` (read from `path`, which only names it in messages, and whose
// stem must be the stack's name when it ends in ".json") and resolves every
// option. Layers not in the vocabulary are problems, with the nearest name.
// Answers every problem found, in the order of the file. Pure: reads nothing.
Checked<Stack> check_stack(std::string_view text, const std::string& path,
                           const Vocabulary& vocabulary);

}  // namespace cowbench
