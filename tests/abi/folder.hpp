// SPDX-License-Identifier: Apache-2.0
// A plugin directory of one test: filled with synthetic plugins, removed at
// the end.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "plugin/catalog.hpp"

namespace cowbench {

class Folder {
 public:
  Folder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cowbench-abi-XXXXXX")
            .string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make " + name);
    }
    path_ = std::filesystem::canonical(name);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const {
    return path_ / (name + ".so");
  }

  // Copies a synthetic plugin here; "sdk/throws" becomes throws.so.
  std::filesystem::path add(const std::string& name) const {
    const std::filesystem::path from =
        std::filesystem::path(COWBENCH_SYNTHETIC_PLUGINS) / (name + ".so");
    const std::filesystem::path to = path_ / from.filename();
    std::filesystem::copy_file(from, to);
    std::filesystem::permissions(to, std::filesystem::perms(0755));
    return to;
  }

  Catalog load() const {
    PluginSearch search;
    search.directories = {path_};
    return Catalog::load(search);
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline void write_bytes(const std::filesystem::path& file,
                        const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
  std::filesystem::permissions(file, std::filesystem::perms(0755));
}

// The one reason for which the one plugin here is refused; the test fails
// when there are more or none.
inline std::string only_refusal(const Catalog& catalog) {
  if (!catalog.plugins().empty()) return "(loaded)";
  if (catalog.refusals().size() != 1) {
    return "(" + std::to_string(catalog.refusals().size()) + " refusals)";
  }
  return catalog.refusals().front().reason;
}

// What loading that synthetic plugin alone is refused for.
inline std::string refusal_of(const std::string& name) {
  const Folder folder;
  folder.add(name);
  return only_refusal(folder.load());
}

}  // namespace cowbench
