// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "device_mapper/mapping.hpp"

namespace cowbench::integrity {

// The layer's keys of a stack file.
struct MakeOptions {
  std::string algorithm;
  std::uint32_t tag_bytes = 0;
  std::uint64_t sector_bytes = 0;
  std::string mode;
  bool wipe = true;  // otherwise: recalculate
};
MakeOptions make_options(const Host& host);

// Writes the superblock only: what integritysetup does besides would go
// through a mapping of a name that nobody could find after a crash.
std::vector<std::string> format_command(const MakeOptions& options,
                                        const std::string& device);
// Once: the first checksums are made through this mapping.
std::vector<std::string> first_open_command(const MakeOptions& options,
                                            const std::string& device,
                                            const std::string& name);
std::vector<std::string> open_command(const MakeOptions& options,
                                      const std::string& device,
                                      const std::string& name);
std::vector<std::string> close_command(const std::string& name);

// What `integritysetup dump` says.
struct Superblock {
  std::uint64_t tag_bytes = 0;
  std::uint64_t sector_bytes = 0;
  std::uint64_t data_sectors = 0;  // of 512 bytes
  std::string journal_sections;
  std::string flags;
};
// Throws Error(COWBENCH_TOOL_FAILED) that names the line which isn't there.
Superblock parse_superblock(const std::string& text);

// Throw Error(COWBENCH_TOOL_FAILED) for the first parameter that isn't what
// was asked for.
void require_as_asked(const Superblock& superblock, const MakeOptions& options);
void require_as_asked(const device_mapper::Target& table,
                      const MakeOptions& options);

// The release out of what `integritysetup --version` writes: "2.7.5". Empty
// when it looks like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::integrity
