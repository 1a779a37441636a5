// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace cowbench::workloads {

// Throws std::system_error for the current errno; its message names the call
// and the path: "openat /mnt/x/f1: No space left on device".
[[noreturn]] void throw_errno(const char* call, const std::string& path);

// Owns a file descriptor and nothing more: for loops that build the path for
// a message only when there is one to write. -1 is "none".
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int get() const { return fd_; }
  // close(2) now; returns its result, errno tells the error.
  int close();

 private:
  int fd_;
};

// An open file and the path that messages about it name. Closes it when it
// dies; an error of that close is lost, so call close() where written data
// hang on it. One instance belongs to one thread at a time.
class OpenFile {
 public:
  // open(2) with O_CLOEXEC added. Throws std::system_error.
  static OpenFile open(const std::string& path, int flags, mode_t mode = 0644);

  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }

  // Writes all of the buffer at `offset`, or throws std::system_error.
  void write_at(const void* buffer, std::size_t bytes, std::uint64_t offset);
  void sync();                         // fsync(2), or throws
  void truncate(std::uint64_t bytes);  // ftruncate(2), or throws
  void close();                        // close(2), or throws
  // Bytes of storage behind the file: st_blocks in bytes. Throws.
  std::uint64_t allocated_bytes() const;

 private:
  OpenFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Descriptor fd_;
  std::string path_;
};

}  // namespace cowbench::workloads
