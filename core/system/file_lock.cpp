// SPDX-License-Identifier: Apache-2.0
#include "system/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "system/system_error.hpp"

namespace cowbench {
namespace {

// 0 or an errno value; EWOULDBLOCK when somebody holds the lock.
int lock_without_waiting(int fd, int operation) {
  while (flock(fd, operation | LOCK_NB) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::try_lock(const std::string& path) {
  return lock_file(
      path, UniqueFd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)));
}

Result<std::optional<FileLock>> FileLock::try_existing(
    const std::string& path) {
  return lock_file(path, UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC)));
}

Result<std::optional<FileLock>> FileLock::lock_file(const std::string& path,
                                                    UniqueFd fd) {
  if (!fd.valid()) return system_error("open the lock", path, errno);
  const int error = lock_without_waiting(fd.get(), LOCK_EX);
  if (error == EWOULDBLOCK) return std::optional<FileLock>();
  if (error != 0) return system_error("lock", path, error);
  return std::optional<FileLock>(FileLock(std::move(fd)));
}

Result<bool> is_locked(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    if (errno == ENOENT) return false;
    return system_error("open the lock", path, errno);
  }
  // A shared lock, so that two who only ask do not see each other.
  const int error = lock_without_waiting(fd.get(), LOCK_SH);
  if (error == EWOULDBLOCK) return true;
  if (error != 0) return system_error("ask about the lock", path, error);
  return false;
}

}  // namespace cowbench
