// SPDX-License-Identifier: Apache-2.0
#include "btrfs/mkfs.hpp"

#include <sstream>

namespace cowbench::btrfs {

MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.data = host.text("data");
  options.metadata = host.text("metadata");
  options.checksum = host.text("checksum");
  options.node_bytes = host.amount("node_size");
  options.sector_bytes = host.amount("sector_size");
  options.discard = host.boolean("discard");
  options.mkfs_arguments = host.text_list("mkfs_arguments");
  return options;
}

std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::vector<std::string>& devices) {
  std::vector<std::string> argv = {"mkfs.btrfs", "-f", "-q"};
  if (!options.discard) argv.push_back("-K");
  const auto add = [&argv](const char* flag, const std::string& value) {
    argv.push_back(flag);
    argv.push_back(value);
  };
  add("-d", options.data);
  add("-m", options.metadata);
  add("--csum", options.checksum);
  add("-n", std::to_string(options.node_bytes));
  add("-s", std::to_string(options.sector_bytes));
  argv.insert(argv.end(), options.mkfs_arguments.begin(),
              options.mkfs_arguments.end());
  argv.insert(argv.end(), devices.begin(), devices.end());
  return argv;
}

std::string mount_options(const std::vector<std::string>& devices,
                          const std::string& compress,
                          const std::string& further) {
  std::string options;
  for (const std::string& device : devices) {
    options += (options.empty() ? "device=" : ",device=") + device;
  }
  if (compress != "no") options += ",compress=" + compress;
  if (!further.empty()) options += "," + further;
  return options;
}

std::string parse_version(const std::string& text) {
  // "mkfs.btrfs, part of btrfs-progs v6.2"; later releases append words.
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word != "btrfs-progs") continue;
    words >> word;
    return word.front() == 'v' ? word.substr(1) : std::string();
  }
  return {};
}

}  // namespace cowbench::btrfs
