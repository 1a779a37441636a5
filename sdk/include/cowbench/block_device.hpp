// SPDX-License-Identifier: Apache-2.0
// For backends that give block devices: waiting for device nodes and asking
// the kernel about them.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cowbench/host.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace cowbench {
inline namespace v0 {

// What a file below /sys says, without the white space around it. Empty when
// it isn't there or says nothing.
inline std::string read_attribute(const std::string& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  const char* const blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// The names in a folder without "." and "..", sorted; none when it isn't there.
inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const stream = opendir(folder.c_str());
  if (stream == nullptr) return names;
  while (const dirent* const entry = readdir(stream)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(stream);
  std::sort(names.begin(), names.end());
  return names;
}

inline bool is_block_device(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISBLK(facts.st_mode);
}

// Where a path leads in the end: the same text for two paths of one device.
// Itself where nothing is there.
inline std::string resolved_path(const std::string& path) {
  char* const real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string text = real;
  std::free(real);
  return text;
}

// The kernel's name of a device, through whatever links lead there:
// "/dev/mapper/x" is "dm-3". Throws std::system_error.
inline std::string kernel_name(const std::string& path) {
  char* const real = realpath(path.c_str(), nullptr);
  if (real == nullptr) {
    throw std::system_error(errno, std::generic_category(), "resolve " + path);
  }
  const std::string text = real;
  std::free(real);
  return text.substr(text.rfind('/') + 1);
}

// Size in bytes. Throws std::system_error.
inline std::uint64_t block_device_bytes(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::uint64_t bytes = 0;
  const bool answered = fd >= 0 && ioctl(fd, BLKGETSIZE64, &bytes) == 0;
  const int error = errno;
  if (fd >= 0) close(fd);
  if (answered) return bytes;
  throw std::system_error(error, std::generic_category(),
                          "read the size of " + path);
}

// Kernel names of what stands on a device: "md127", "dm-3".
inline std::vector<std::string> holders_of_device(const std::string& path) {
  return names_in("/sys/class/block/" + kernel_name(path) + "/holders");
}

// Asks `ready` again and again, with growing pauses. False when it has not
// been true within limit_ns. Throws COWBENCH_CANCELLED when the runner wants
// an end. For what udev and the kernel do in their own time.
template <typename Ready>
bool wait_until(const Host& host, std::uint64_t limit_ns, Ready&& ready) {
  const std::uint64_t start = host.now_ns();
  std::chrono::milliseconds pause(10);
  while (!ready()) {
    if (host.now_ns() - start >= limit_ns) return false;
    host.throw_if_stopped();
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(500));
  }
  return true;
}

// Does a command over and over until `done` says that its work is done: a
// device may be open for moments in the hands of udev. Throws
// COWBENCH_TOOL_FAILED with the command's own words after limit_ns.
template <typename Done>
void run_until(const Host& host, const std::vector<std::string>& argv,
               std::uint64_t limit_ns, Done&& done) {
  CommandResult last;
  const auto attempt = [&] {
    if (done()) return true;
    last = host.run(argv);
    return done();
  };
  if (wait_until(host, limit_ns, attempt)) return;
  std::string line;
  for (const std::string& word : argv) line += (line.empty() ? "" : " ") + word;
  throw Error(COWBENCH_TOOL_FAILED,
              "\"" + line + "\" has not worked for " +
                  std::to_string(limit_ns / 1'000'000'000) +
                  " s; it said: " + (last.err.empty() ? last.out : last.err));
}

}  // namespace v0
}  // namespace cowbench
