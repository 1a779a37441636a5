// SPDX-License-Identifier: Apache-2.0
// For backends that end in a mounted filesystem: asking the filesystem under
// the mount point what it is, instead of trusting what was asked for.
#pragma once

#include <cowbench/abi/ability.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cowbench/host.hpp>
#include <cstdint>
#include <string>
#include <system_error>

namespace cowbench {
inline namespace v0 {

// 16 bytes as "cb611152-694c-432b-b67c-4237c55bc92f".
inline std::string uuid_text(const unsigned char* bytes) {
  static const char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// An open directory, to put questions to its filesystem. Keep it open only
// for the question: it makes an unmount fail as busy.
class MountedDirectory {
 public:
  // Throws std::system_error.
  explicit MountedDirectory(std::string path)
      : path_(std::move(path)),
        fd_(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ < 0) fail("open");
  }
  MountedDirectory(const MountedDirectory&) = delete;
  MountedDirectory& operator=(const MountedDirectory&) = delete;
  ~MountedDirectory() { close(fd_); }

  // ioctl(2). `name` is the request's, for the message of the
  // std::system_error it throws.
  void control(unsigned long request, void* argument, const char* name) const {
    if (ioctl(fd_, request, argument) < 0) fail(name);
  }
  struct statvfs space() const {
    struct statvfs facts {};
    if (fstatvfs(fd_, &facts) < 0) fail("fstatvfs");
    return facts;
  }

 private:
  [[noreturn]] void fail(const char* call) const {
    throw std::system_error(errno, std::generic_category(),
                            std::string(call) + " " + path_);
  }

  std::string path_;
  int fd_;
};

// The usage of a filesystem that keeps one copy and allocates nothing ahead:
// everything follows from its free blocks.
inline void usage_of_free_blocks(const Host& host, cowbench_usage& usage) {
  const struct statvfs facts = MountedDirectory(host.mount_point()).space();
  const std::uint64_t block = facts.f_frsize;
  for (const cowbench_device* device : host.devices()) {
    usage.raw_bytes += device->size_bytes;
  }
  const std::uint64_t free_bytes = facts.f_bfree * block;
  usage.allocated_bytes =
      usage.raw_bytes > free_bytes ? usage.raw_bytes - free_bytes : 0;
  usage.used_bytes = (facts.f_blocks - facts.f_bfree) * block;
  usage.usable_bytes = facts.f_bavail * block;
  usage.source = "statvfs; allocated: size of the devices less free blocks";
}

// Throws COWBENCH_TOOL_FAILED unless `found` is what was asked for.
inline void require_effective(const std::string& what, const std::string& asked,
                              const std::string& found) {
  if (asked == found) return;
  throw Error(COWBENCH_TOOL_FAILED,
              what + ": asked for " + asked + ", in effect is " + found);
}

}  // namespace v0
}  // namespace cowbench
