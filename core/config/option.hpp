// SPDX-License-Identifier: Apache-2.0
// Values of options as configuration files give them. parse_option and
// config_value_json, for callers outside config/, are in profile.hpp.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "config/located_json.hpp"
#include "config/vocabulary.hpp"

namespace cowbench {

// Reads the value that a file gives for an option: JSON type, allowed words,
// bounds. The error says what was found and what is allowed.
std::variant<ConfigValue, std::string> read_option(const OptionSpec& spec,
                                                   const JsonNode& node);

// Gives every option that has a default and no value yet its default. Answers
// what is wrong: a required option without a value, a default that is not
// valid (the plugin's fault). `prefix` comes before the key in these texts.
std::vector<std::string> fill_defaults(
    const std::vector<OptionSpec>& specs, const std::string& prefix,
    std::map<std::string, ConfigValue>& values);

const OptionSpec* find_option(const std::vector<OptionSpec>& specs,
                              std::string_view key);

std::vector<std::string> option_keys(const std::vector<OptionSpec>& specs);

}  // namespace cowbench
