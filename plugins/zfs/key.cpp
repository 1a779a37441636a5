// SPDX-License-Identifier: Apache-2.0
#include "zfs/key.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace cowbench::zfs {

void make_key_file(const std::string& path) {
  const auto check = [&path](bool good, const char* call) {
    if (good) return;
    throw std::system_error(errno, std::generic_category(),
                            std::string(call) + " for the key file " + path);
  };
  unsigned char key[32];
  check(getrandom(key, sizeof key, 0) == static_cast<ssize_t>(sizeof key),
        "getrandom");
  const int fd = open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  check(fd >= 0, "open");
  const ssize_t written = write(fd, key, sizeof key);
  const int error = errno;
  explicit_bzero(key, sizeof key);
  close(fd);
  errno = written < 0 ? error : EIO;
  check(written == static_cast<ssize_t>(sizeof key), "write");
}

}  // namespace cowbench::zfs
