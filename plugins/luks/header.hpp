// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "device_mapper/mapping.hpp"
#include "luks/command.hpp"

namespace cowbench::luks {

// What the header of a LUKS2 device says.
struct Header {
  std::string cipher;
  std::uint64_t sector_bytes = 0;
  std::uint64_t data_offset_bytes = 0;
  std::uint32_t key_slots = 0;
  // Of the first slot.
  std::uint32_t key_bits = 0;
  std::string pbkdf;
  std::string hash;
  std::uint64_t iterations = 0;
};

// Reads what `cryptsetup luksDump --dump-json-metadata` writes. Throws
// Error(COWBENCH_TOOL_FAILED) that says what isn't there.
Header parse_header(const std::string& json);

// Throw Error(COWBENCH_TOOL_FAILED) for the first parameter that isn't what
// was asked for: of the header, and of the mapping that runs.
void require_as_asked(const Header& header, const MakeOptions& options);
void require_as_asked(const device_mapper::Target& table,
                      const MakeOptions& options);

}  // namespace cowbench::luks
