// SPDX-License-Identifier: Apache-2.0
#include "luks/command.hpp"

#include <sstream>

namespace cowbench::luks {
namespace {

void add_key(std::vector<std::string>& argv, const std::string& key_file) {
  argv.insert(argv.end(), {"--key-file", key_file, "--keyfile-size",
                           std::to_string(kKeyFileBytes)});
}

}  // namespace

MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.cipher = host.text("cipher");
  options.key_bits = static_cast<std::uint32_t>(host.integer("key_size"));
  options.sector_bytes = host.amount("sector_size");
  options.hash = host.text("hash");
  options.iterations = host.amount("pbkdf_iterations");
  options.allow_discards = host.boolean("allow_discards");
  options.no_read_workqueue = host.boolean("no_read_workqueue");
  options.no_write_workqueue = host.boolean("no_write_workqueue");
  return options;
}

std::vector<std::string> format_command(const MakeOptions& options,
                                        const std::string& key_file,
                                        const std::string& device) {
  std::vector<std::string> argv = {"cryptsetup", "luksFormat", "--batch-mode"};
  const auto add = [&argv](const char* flag, const std::string& value) {
    argv.emplace_back(flag);
    argv.push_back(value);
  };
  add("--type", "luks2");
  add("--cipher", options.cipher);
  add("--key-size", std::to_string(options.key_bits));
  add("--sector-size", std::to_string(options.sector_bytes));
  add("--hash", options.hash);
  add("--pbkdf", "pbkdf2");
  add("--pbkdf-force-iterations", std::to_string(options.iterations));
  add_key(argv, key_file);
  argv.push_back(device);
  return argv;
}

std::vector<std::string> open_command(const MakeOptions& options,
                                      const std::string& key_file,
                                      const std::string& device,
                                      const std::string& name) {
  std::vector<std::string> argv = {"cryptsetup", "open", "--type", "luks2"};
  add_key(argv, key_file);
  if (options.allow_discards) argv.emplace_back("--allow-discards");
  if (options.no_read_workqueue) {
    argv.emplace_back("--perf-no_read_workqueue");
  }
  if (options.no_write_workqueue) {
    argv.emplace_back("--perf-no_write_workqueue");
  }
  argv.push_back(device);
  argv.push_back(name);
  return argv;
}

std::vector<std::string> close_command(const std::string& name) {
  return {"cryptsetup", "close", name};
}

std::string parse_version(const std::string& text) {
  std::istringstream words(text);
  std::string program, release;
  words >> program >> release;
  return program == "cryptsetup" ? release : std::string();
}

}  // namespace cowbench::luks
