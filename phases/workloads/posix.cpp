// SPDX-License-Identifier: Apache-2.0
#include "posix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cowbench::workloads {

void throw_errno(const char* call, const std::string& path) {
  const int error = errno;
  throw std::system_error(error, std::generic_category(),
                          std::string(call) + " " + path);
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int Descriptor::close() { return ::close(std::exchange(fd_, -1)); }

OpenFile OpenFile::open(const std::string& path, int flags, mode_t mode) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  if (fd < 0) throw_errno("open", path);
  return OpenFile(fd, path);
}

void OpenFile::write_at(const void* buffer, std::size_t bytes,
                        std::uint64_t offset) {
  const auto* from = static_cast<const char*>(buffer);
  while (bytes > 0) {
    const ssize_t written =
        ::pwrite(fd(), from, bytes, static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw_errno("pwrite", path_);
    }
    from += written;
    bytes -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
}

void OpenFile::sync() {
  if (::fsync(fd()) != 0) throw_errno("fsync", path_);
}

void OpenFile::truncate(std::uint64_t bytes) {
  if (::ftruncate(fd(), static_cast<off_t>(bytes)) != 0)
    throw_errno("ftruncate", path_);
}

void OpenFile::close() {
  if (fd_.close() != 0) throw_errno("close", path_);
}

std::uint64_t OpenFile::allocated_bytes() const {
  struct stat status {};
  if (::fstat(fd(), &status) != 0) throw_errno("fstat", path_);
  // st_blocks counts units of 512 bytes whatever the block size is.
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

}  // namespace cowbench::workloads
