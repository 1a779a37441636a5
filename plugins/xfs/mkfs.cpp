// SPDX-License-Identifier: Apache-2.0
#include "xfs/mkfs.hpp"

#include <sstream>

namespace cowbench::xfs {

MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.block_bytes = host.amount("block_size");
  options.inode_bytes = host.amount("inode_size");
  options.crc = host.boolean("crc");
  options.reflink = host.boolean("reflink");
  options.discard = host.boolean("discard");
  options.mkfs_arguments = host.text_list("mkfs_arguments");
  return options;
}

std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::string& device) {
  std::vector<std::string> argv = {"mkfs.xfs", "-f", "-q"};
  if (!options.discard) argv.push_back("-K");
  const auto add = [&argv](const char* flag, const std::string& value) {
    argv.push_back(flag);
    argv.push_back(value);
  };
  add("-b", "size=" + std::to_string(options.block_bytes));
  add("-i", "size=" + std::to_string(options.inode_bytes));
  add("-m", std::string("crc=") + (options.crc ? "1" : "0") +
                ",reflink=" + (options.reflink ? "1" : "0"));
  argv.insert(argv.end(), options.mkfs_arguments.begin(),
              options.mkfs_arguments.end());
  argv.push_back(device);
  return argv;
}

std::string parse_version(const std::string& text) {
  std::istringstream words(text);
  std::string program, word, release;
  words >> program >> word >> release;
  return program == "mkfs.xfs" && word == "version" ? release : std::string();
}

}  // namespace cowbench::xfs
