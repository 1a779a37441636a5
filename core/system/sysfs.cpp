// SPDX-License-Identifier: Apache-2.0
#include "system/sysfs.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "system/file.hpp"
#include "system/system_error.hpp"

namespace cowbench {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "a regular file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode)) return "a character device";
  return "something else";
}

}  // namespace

Result<DeviceNumber> block_device_number(const std::string& path) {
  if (path.empty()) {
    return Error(Category::kUsage, "look at a block device: the name is empty");
  }
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    return Error(Category::kUsage,
                 "look at block device " + path + ": " + errno_text(errno));
  }
  if (!S_ISBLK(facts.st_mode)) {
    return Error(Category::kUsage, "look at block device " + path + ": it is " +
                                       kind_of(facts.st_mode) +
                                       ", not a block device");
  }
  return device_number(facts.st_rdev);
}

Result<std::string> sysfs_folder(DeviceNumber number) {
  std::error_code error;
  const auto folder =
      std::filesystem::canonical("/sys/dev/block/" + number.text(), error);
  if (error) {
    return Error(Category::kDeviceLost, "look at block device " +
                                            number.text() +
                                            ": the kernel has no such device");
  }
  return folder.string();
}

std::uint64_t sysfs_number(const std::string& path) {
  const std::string text = read_trimmed(path);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace cowbench
