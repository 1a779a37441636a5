// SPDX-License-Identifier: Apache-2.0
// A profile file: sizes, times and the list of phases.
//
//   { "name": "smoke", "summary": "...",
//     "member_size": { "value": "1GiB", "why": "..." },
//     "phase_time_limit": { "value": "5min", "why": "..." },
//     "phases": [ "calibration", "throughput", ... ],
//     "settings": { "throughput.file_size": { "value": "64MiB", "why": "..." }
//   } }
//
// A setting's key is <phase>.<option>; every value says why it is what it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/problem.hpp"
#include "config/vocabulary.hpp"

namespace cowbench {

struct PhaseUse {
  std::string name;
  bool before_stack = false;
  // Every option of the phase that has a value, given or default.
  std::map<std::string, ConfigValue> options;
  // Why it cannot run with this profile, such as a required option without a
  // value. Empty for the phases that a checked profile lists.
  std::vector<std::string> faults;
};

struct Profile {
  std::string name;
  std::string summary;
  std::uint64_t member_bytes = 0;
  std::uint64_t phase_limit_ns = 0;  // watchdog, per phase
  std::vector<PhaseUse> phases;      // in the order in which they run
  std::vector<PhaseUse> others;      // every other known phase, by name
  std::string path;
  std::string json;
};

// Checks `text` (read from `path`, which only names it in messages, and whose
// stem must be the profile's name when it ends in ".json") and resolves the
// settings of every known phase, listed or not. `overrides` are the command
// line's --set pairs: "member_size", "phase_time_limit" or <phase>.<option>,
// applied last, the last of several for one key counting; their problems name
// "--set" as the file. Pure: reads nothing.
Checked<Profile> check_profile(
    std::string_view text, const std::string& path,
    const Vocabulary& vocabulary,
    const std::vector<std::pair<std::string, std::string>>& overrides);

// Applies --phases and --skip. `only` (when not empty) chooses phases, listed
// in the profile or not, in that order, but those that run before the stack
// exists come first; `skip` leaves phases out. What is left out goes to
// `others`. Unknown names, a chosen phase with faults and an empty rest are
// problems, with "--phases" or "--skip" as the file.
Checked<Profile> select_phases(Profile profile,
                               const std::vector<std::string>& only,
                               const std::vector<std::string>& skip);

// Reads a value given as text for an option: type, allowed words, bounds. The
// error says what was found and what is allowed. Lists are words with commas
// between.
std::variant<ConfigValue, std::string> parse_option(const OptionSpec& spec,
                                                    std::string_view text);

// As JSON text, for results: sizes in bytes, durations in ns.
std::string config_value_json(const ConfigValue& value);

}  // namespace cowbench
