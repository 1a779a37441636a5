// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace cowbench_test {

// A folder of its own, removed with the test.
class Folder {
 public:
  Folder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cowbench-test-XXXXXX")
            .string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
    root_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& root() const { return root_; }
  std::string path(const std::string& below) const {
    return root_ + "/" + below;
  }
  void write(const std::string& below, const std::string& text) const {
    std::ofstream(path(below), std::ios::binary) << text;
  }

 private:
  std::string root_;
};

}  // namespace cowbench_test
