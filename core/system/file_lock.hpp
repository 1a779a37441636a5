// SPDX-License-Identifier: Apache-2.0
// Locks that vanish with their holder.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {

// Holds an flock until it is destroyed, or the process dies.
class FileLock {
 public:
  // Takes the exclusive lock without waiting; makes the file when needed.
  // Nothing when somebody else holds it.
  static Result<std::optional<FileLock>> try_lock(const std::string& path);

  // The same for another user's file, which is only read and never made. An
  // error when it cannot be opened.
  static Result<std::optional<FileLock>> try_existing(const std::string& path);

  // A program started with this in Command::kept_descriptors shares the
  // lock: it is free when the last of them has ended.
  int descriptor() const { return fd_.get(); }

 private:
  static Result<std::optional<FileLock>> lock_file(const std::string& path,
                                                   UniqueFd fd);
  explicit FileLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

// Whether somebody holds the lock; an absent file is not locked.
Result<bool> is_locked(const std::string& path);

}  // namespace cowbench
