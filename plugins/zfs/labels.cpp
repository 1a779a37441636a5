// SPDX-License-Identifier: Apache-2.0
#include "zfs/labels.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace cowbench::zfs {
namespace {

constexpr std::uint64_t kLabelBytes = 256 * 1024;
// The configuration ends with a checksum: a magic number and 32 bytes. It
// lies between 16 KiB and 128 KiB of the label.
constexpr std::uint64_t kConfigEnd = 128 * 1024;
constexpr std::size_t kTrailerBytes = 8 + 32;
constexpr std::uint64_t kMagic = 0x0210da7ab10c7a11;
// Direct reads are of whole sectors.
constexpr std::size_t kBlock = 4096;

[[noreturn]] void fail(const char* call, const std::string& path) {
  throw std::system_error(errno, std::generic_category(),
                          std::string(call) + " " + path);
}

class File {
 public:
  explicit File(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC)) {
    // Not every filesystem under an image knows direct reads.
    if (fd_ < 0 && errno == EINVAL) {
      fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    }
    if (fd_ < 0) fail("open", path);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(fd_); }
  int fd() const { return fd_; }

 private:
  int fd_;
};

bool is_magic(const unsigned char* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  // A pool can come from a machine of the other byte order.
  return value == kMagic || value == __builtin_bswap64(kMagic);
}

}  // namespace

std::vector<std::uint64_t> label_offsets(std::uint64_t device_bytes) {
  const std::uint64_t end = device_bytes / kLabelBytes * kLabelBytes;
  if (end < 4 * kLabelBytes) return {};
  return {0, kLabelBytes, end - 2 * kLabelBytes, end - kLabelBytes};
}

std::vector<std::uint64_t> find_labels(const std::string& path) {
  const File file(path);
  const off_t size = lseek(file.fd(), 0, SEEK_END);
  if (size < 0) fail("find the end of", path);
  alignas(kBlock) unsigned char block[kBlock];
  std::vector<std::uint64_t> found;
  for (const std::uint64_t label :
       label_offsets(static_cast<std::uint64_t>(size))) {
    const ssize_t count =
        pread(file.fd(), block, sizeof block,
              static_cast<off_t>(label + kConfigEnd - kBlock));
    if (count < 0) fail("read a label of", path);
    if (count == static_cast<ssize_t>(sizeof block) &&
        is_magic(block + kBlock - kTrailerBytes)) {
      found.push_back(label);
    }
  }
  return found;
}

}  // namespace cowbench::zfs
