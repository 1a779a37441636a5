// SPDX-License-Identifier: Apache-2.0
#include "ext4/mkfs.hpp"

#include <cowbench/text.hpp>

namespace cowbench::ext4 {
MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.block_bytes = host.amount("block_size");
  options.inode_bytes = host.amount("inode_size");
  options.bytes_per_inode = host.amount("bytes_per_inode");
  options.lazy_itable_init = host.boolean("lazy_itable_init");
  options.lazy_journal_init = host.boolean("lazy_journal_init");
  options.discard = host.boolean("discard");
  options.features = host.text_list("features");
  options.extended_options = host.text_list("extended_options");
  options.mkfs_arguments = host.text_list("mkfs_arguments");
  return options;
}

std::string extended_options(const MakeOptions& options) {
  std::vector<std::string> words = {
      options.discard ? "discard" : "nodiscard",
      std::string("lazy_itable_init=") + (options.lazy_itable_init ? "1" : "0"),
      std::string("lazy_journal_init=") +
          (options.lazy_journal_init ? "1" : "0")};
  words.insert(words.end(), options.extended_options.begin(),
               options.extended_options.end());
  return joined(words, ",");
}

std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::string& device) {
  // -F twice would also overwrite a mounted filesystem; once only keeps
  // mkfs.ext4 from asking. -i, because small devices get a ratio of their own
  // besides a block size of their own.
  std::vector<std::string> argv = {"mkfs.ext4",
                                   "-F",
                                   "-q",
                                   "-b",
                                   std::to_string(options.block_bytes),
                                   "-I",
                                   std::to_string(options.inode_bytes),
                                   "-i",
                                   std::to_string(options.bytes_per_inode),
                                   "-E",
                                   extended_options(options)};
  if (!options.features.empty()) {
    argv.push_back("-O");
    argv.push_back(joined(options.features, ","));
  }
  argv.insert(argv.end(), options.mkfs_arguments.begin(),
              options.mkfs_arguments.end());
  argv.push_back(device);
  return argv;
}

}  // namespace cowbench::ext4
