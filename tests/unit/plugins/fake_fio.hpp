// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cowbench/testing/fake_host.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "fixtures.hpp"

namespace cowbench::testing {

// A directory of the test's own that is gone with it.
class Scratch {
 public:
  Scratch() {
    std::string path =
        (std::filesystem::temp_directory_path() / "cowbench-unit-XXXXXX")
            .string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = path;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Answers a command of fio with the stored output of its first job, the job's
// number taken off: "fio-3.33/randwrite4.json" for "--name=randwrite4-0".
inline CommandResult fake_fio(const Command& command) {
  std::string output, job;
  for (const std::string& word : command.argv) {
    if (word.rfind("--output=", 0) == 0) output = word.substr(9);
    if (job.empty() && word.rfind("--name=", 0) == 0) job = word.substr(7);
  }
  if (output.empty()) return FakeHost::exits(0, "fio-3.33\n");
  job.erase(std::min(job.find('-'), job.size()));
  const std::string file = job == "seqread" ? "text-around.txt" : job + ".json";
  std::ofstream(output) << fixture("fio-3.33/" + file);
  return FakeHost::exits(0);
}

}  // namespace cowbench::testing
