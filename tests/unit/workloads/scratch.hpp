// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

// A folder of its own for one test, removed with all that is in it.
class Scratch {
 public:
  Scratch() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cowbench-test-XXXXXX")
            .string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("mkdtemp " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};
