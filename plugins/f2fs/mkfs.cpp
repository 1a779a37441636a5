// SPDX-License-Identifier: Apache-2.0
#include "f2fs/mkfs.hpp"

#include <algorithm>
#include <sstream>

namespace cowbench::f2fs {
namespace {

std::string plain_number(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

}  // namespace

MakeOptions make_options(const Host& host) {
  MakeOptions options;
  options.features = host.text_list("features");
  if (host.text("compress") != "no") {
    // Compressed files are marked in an inode's extra attributes.
    for (const char* needed : {"extra_attr", "compression"}) {
      if (std::find(options.features.begin(), options.features.end(), needed) ==
          options.features.end()) {
        options.features.emplace_back(needed);
      }
    }
  }
  options.segments_per_section = host.amount("segments_per_section");
  options.overprovision_percent = host.number("overprovision_percent");
  options.discard = host.boolean("discard");
  options.mkfs_arguments = host.text_list("mkfs_arguments");
  return options;
}

std::vector<std::string> mkfs_command(const MakeOptions& options,
                                      const std::string& device) {
  std::vector<std::string> argv = {
      "mkfs.f2fs",
      "-f",
      "-q",
      "-t",
      options.discard ? "1" : "0",
      "-s",
      std::to_string(options.segments_per_section)};
  if (options.overprovision_percent > 0) {
    argv.push_back("-o");
    argv.push_back(plain_number(options.overprovision_percent));
  }
  if (!options.features.empty()) {
    std::string list;
    for (const std::string& feature : options.features) {
      list += (list.empty() ? "" : ",") + feature;
    }
    argv.push_back("-O");
    argv.push_back(list);
  }
  argv.insert(argv.end(), options.mkfs_arguments.begin(),
              options.mkfs_arguments.end());
  argv.push_back(device);
  return argv;
}

std::string mount_options(const std::string& compress,
                          const std::string& further) {
  std::string options;
  if (compress != "no") {
    // "*" is every extension, so every file; comma separated options leave no
    // other way.
    options = "compress_algorithm=" + compress + ",compress_extension=*";
  }
  if (!further.empty()) options += (options.empty() ? "" : ",") + further;
  return options;
}

std::string parse_version(const std::string& text) {
  // "mkfs.f2fs 1.16.0 (2023-04-11)"
  std::istringstream words(text);
  std::string program, release;
  words >> program >> release;
  return program == "mkfs.f2fs" ? release : std::string();
}

}  // namespace cowbench::f2fs
