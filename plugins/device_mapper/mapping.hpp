// SPDX-License-Identifier: Apache-2.0
// Mappings of the kernel's device mapper, one over each device of a layer.
#pragma once

#include <cowbench/host.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "device_mapper/target.hpp"

namespace cowbench::device_mapper {

// The only target of a mapping. Throws Error(COWBENCH_TOOL_FAILED) unless
// there is one, of that type. `command`: "table" or "status".
Target read_target(const Host& host, const std::string& command,
                   const std::string& name, const std::string& type);

// As the kernel says it, without udev.
bool mapping_exists(const std::string& name);

std::string path_of(const std::string& name);  // "/dev/mapper/<name>"

// The layer's mapping over its device `index`, named after what the host gives.
std::string mapping_name(const Host& host, std::size_t index);

// Enters a mapping in the ledger, and its ticket in the state. Throws when
// there is one of that name.
void announce_mapping(const Host& host, std::size_t index);
// Waits until the mapping's device node is there.
void await_mapping(const Host& host, const std::string& name);
// Runs `argv` until there is no mapping of that name.
void close_mapping(const Host& host, const std::vector<std::string>& argv,
                   const std::string& name);
// Closes the mappings that announce_mapping() entered and no others, with
// close_command(name), and strikes them off.
using CloseCommand = std::vector<std::string> (*)(const std::string& name);
void remove_mappings(const Host& host, CloseCommand close_command);

}  // namespace cowbench::device_mapper
