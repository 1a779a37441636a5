// SPDX-License-Identifier: Apache-2.0
// Phases that take the filesystem away behind the runner's back, then try to
// write below its mount point.
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cowbench/plugin.hpp>
#include <cstdlib>
#include <string>
#include <system_error>

#include "misbehaving.hpp"

namespace {

using namespace cowbench_test;

// Tells in the log whether a file can be made there.
void try_to_write(const Host& host, const std::string& where) {
  const std::string path = where + "/stray";
  const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  const int error = errno;
  if (fd < 0) {
    host.warn("stray write refused: " + std::generic_category().message(error));
    return;
  }
  close(fd);
  unlink(path.c_str());
  host.warn("stray write went to " + path);
}

void detach(const Host& host) {
  if (umount2(host.mount_point().c_str(), MNT_DETACH) != 0) {
    throw std::system_error(errno, std::generic_category(), "umount2");
  }
  try_to_write(host, host.mount_point());
}

struct Within {
  static constexpr Identity identity = {"org.example.test.unmounting",
                                        "unmounting", "1.0",
                                        "unmounts the filesystem it works on"};
  static void act(const Host& host) { detach(host); }
};

std::string mount_point_to_lose;

struct Between {
  static constexpr Identity identity = {
      "org.example.test.unmounting-later", "unmounting-later", "1.0",
      "unmounts the filesystem when all is said"};
  static void act(const Host& host) {
    mount_point_to_lose = host.mount_point();
    // The process ends after the core has looked at the filesystem.
    std::atexit([] { umount2(mount_point_to_lose.c_str(), MNT_DETACH); });
  }
};

struct ReadOnly {
  static constexpr Identity identity = {"org.example.test.freezing", "freezing",
                                        "1.0",
                                        "makes the filesystem read-only"};
  static void act(const Host& host) {
    const std::string point = host.mount_point();
    if (mount(nullptr, point.c_str(), nullptr, MS_REMOUNT | MS_RDONLY,
              nullptr) != 0) {
      throw std::system_error(errno, std::generic_category(), "remount");
    }
    try_to_write(host, point);
  }
};

}  // namespace

COWBENCH_PLUGINS(Misbehaving<Within>, Misbehaving<Between>,
                 Misbehaving<ReadOnly>);
