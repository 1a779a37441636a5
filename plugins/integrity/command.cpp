// SPDX-License-Identifier: Apache-2.0
#include "integrity/command.hpp"

#include <cowbench/mounted.hpp>
#include <cstdlib>
#include <sstream>

namespace cowbench::integrity {
namespace {

// The rest of the line that begins with `name`, or "".
std::string field(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, rest;
    words >> first;
    if (first != name) continue;
    std::getline(words >> std::ws, rest);
    return rest;
  }
  return {};
}

std::uint64_t required_number(const std::string& text,
                              const std::string& name) {
  const std::string value = field(text, name);
  if (!value.empty() && value.front() >= '0' && value.front() <= '9') {
    return std::strtoull(value.c_str(), nullptr, 10);
  }
  throw Error(COWBENCH_TOOL_FAILED,
              "the output of integritysetup dump has no number for " + name);
}

void add_mode(std::vector<std::string>& argv, const std::string& mode) {
  if (mode == "bitmap") argv.emplace_back("--integrity-bitmap-mode");
  if (mode == "direct") argv.emplace_back("--integrity-no-journal");
}

std::string mode_in_table(const std::string& mode) {
  return mode == "journal" ? "J" : mode == "bitmap" ? "B" : "D";
}

std::vector<std::string> open_words(const MakeOptions& options,
                                    const std::string& mode) {
  std::vector<std::string> argv = {"integritysetup", "open", "--integrity",
                                   options.algorithm};
  add_mode(argv, mode);
  return argv;
}

}  // namespace

MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.algorithm = host.text("algorithm");
  options.tag_bytes = static_cast<std::uint32_t>(host.integer("tag_size"));
  options.sector_bytes = host.amount("sector_size");
  options.mode = host.text("mode");
  options.wipe = host.text("initialise") == "wipe";
  return options;
}

std::vector<std::string> format_command(const MakeOptions& options,
                                        const std::string& device) {
  std::vector<std::string> argv = {
      "integritysetup", "format",
      "--batch-mode",   "--no-wipe",
      "--integrity",    options.algorithm,
      "--tag-size",     std::to_string(options.tag_bytes),
      "--sector-size",  std::to_string(options.sector_bytes)};
  add_mode(argv, options.mode);
  argv.push_back(device);
  return argv;
}

std::vector<std::string> first_open_command(const MakeOptions& options,
                                            const std::string& device,
                                            const std::string& name) {
  // Without the journal for zeros, which would be written twice.
  std::vector<std::string> argv =
      open_words(options, options.wipe ? "direct" : options.mode);
  if (!options.wipe) argv.emplace_back("--integrity-recalculate");
  argv.push_back(device);
  argv.push_back(name);
  return argv;
}

std::vector<std::string> open_command(const MakeOptions& options,
                                      const std::string& device,
                                      const std::string& name) {
  std::vector<std::string> argv = open_words(options, options.mode);
  argv.push_back(device);
  argv.push_back(name);
  return argv;
}

std::vector<std::string> close_command(const std::string& name) {
  return {"integritysetup", "close", name};
}

Superblock parse_superblock(const std::string& text) {
  Superblock superblock;
  superblock.tag_bytes = required_number(text, "integrity_tag_size");
  superblock.sector_bytes = required_number(text, "sector_size");
  superblock.data_sectors = required_number(text, "provided_data_sectors");
  superblock.journal_sections = field(text, "journal_sections");
  superblock.flags = field(text, "flags");
  return superblock;
}

void require_as_asked(const Superblock& superblock,
                      const MakeOptions& options) {
  require_effective("tag_size", std::to_string(options.tag_bytes),
                    std::to_string(superblock.tag_bytes));
  require_effective("sector_size", std::to_string(options.sector_bytes),
                    std::to_string(superblock.sector_bytes));
}

// DEVICE OFFSET TAG-SIZE MODE NUMBER OPTION...
void require_as_asked(const device_mapper::Target& table,
                      const MakeOptions& options) {
  require_effective("tag_size", std::to_string(options.tag_bytes),
                    table.argument(2));
  require_effective("mode", mode_in_table(options.mode), table.argument(3));
  require_effective("algorithm", options.algorithm,
                    table.option("internal_hash"));
  const std::string sectors = table.option("block_size");
  require_effective("sector_size", std::to_string(options.sector_bytes),
                    sectors.empty() ? "512" : sectors);
}

std::string parse_version(const std::string& text) {
  std::istringstream words(text);
  std::string program, release;
  words >> program >> release;
  return program == "integritysetup" ? release : std::string();
}

}  // namespace cowbench::integrity
