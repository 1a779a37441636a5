// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

namespace cowbench::luks {

// The layer's keys of a stack file.
struct MakeOptions {
  std::string cipher;
  std::uint32_t key_bits = 0;
  std::uint64_t sector_bytes = 0;
  std::string hash;
  std::uint64_t iterations = 0;
  bool allow_discards = false;
  bool no_read_workqueue = false;
  bool no_write_workqueue = false;
};
MakeOptions make_options(const Host& host);

constexpr std::size_t kKeyFileBytes = 64;

// The key is in a file, so no command line and no trace shows it.
std::vector<std::string> format_command(const MakeOptions& options,
                                        const std::string& key_file,
                                        const std::string& device);
std::vector<std::string> open_command(const MakeOptions& options,
                                      const std::string& key_file,
                                      const std::string& device,
                                      const std::string& name);
std::vector<std::string> close_command(const std::string& name);

// The release out of what `cryptsetup --version` writes: "2.7.5". Empty when
// it looks like nothing known.
std::string parse_version(const std::string& text);

}  // namespace cowbench::luks
