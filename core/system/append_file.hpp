// SPDX-License-Identifier: Apache-2.0
// A log of lines that survives crashes line by line.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {

// Appends whole lines. Threads may share an object; processes may append to
// the same file.
class AppendFile {
 public:
  // Opens or makes the file; a new one's folder entry is made durable. An
  // unfinished last line (torn by a crash) is ended first, so that it never
  // swallows the next one.
  static Result<AppendFile> open(const std::string& path);

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;

  // Writes line and a newline with one system call; line has no newline.
  Status write_line(std::string_view line);
  // Makes everything written so far durable.
  Status sync();
  // write_line and sync.
  Status write_line_durable(std::string_view line);

  const std::string& path() const { return path_; }

 private:
  AppendFile(std::string path, UniqueFd fd);

  std::string path_;
  UniqueFd fd_;
  std::mutex mutex_;
};

}  // namespace cowbench
