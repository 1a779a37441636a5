// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/superblock_copies.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cowbench/error.hpp>
#include <cstring>
#include <set>
#include <system_error>

namespace cowbench::bcachefs {
namespace {

constexpr std::uint64_t kSectorBytes = 512;
constexpr std::uint64_t kEndBytes = std::uint64_t{4} << 20;
// Of the table: its sector, and within it how many copies, and where.
constexpr std::uint64_t kTableOffset = 7 * kSectorBytes;
constexpr std::size_t kCountOffset = 18, kOffsetsOffset = 24, kMostCopies = 61;
// Within a superblock the magic number stands behind checksum and versions.
constexpr std::size_t kMagicOffset = 24;
constexpr unsigned char kMagic[16] = {0xc6, 0x85, 0x73, 0xf6, 0x66, 0xce,
                                      0x90, 0xa9, 0xd9, 0x6a, 0x60, 0xcf,
                                      0x80, 0x3d, 0xf7, 0xef};

class Device {
 public:
  Device(std::string path, int flags) : path_(std::move(path)) {
    struct stat facts {};
    if (stat(path_.c_str(), &facts) != 0) fail("inspect");
    // Exclusive, so that a device in use is refused.
    if (S_ISBLK(facts.st_mode)) flags |= O_EXCL;
    fd_ = open(path_.c_str(), flags | O_CLOEXEC);
    if (fd_ < 0) fail("open");
    const off_t end = lseek(fd_, 0, SEEK_END);
    if (end < 0) {
      close(fd_);
      fail("find the size of");
    }
    size_ = static_cast<std::uint64_t>(end);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { close(fd_); }

  std::uint64_t size() const { return size_; }

  std::vector<unsigned char> read(std::uint64_t offset,
                                  std::uint64_t length) const {
    std::vector<unsigned char> data(length);
    std::size_t done = 0;
    while (done < data.size()) {
      const ssize_t count = pread(fd_, data.data() + done, data.size() - done,
                                  static_cast<off_t>(offset + done));
      if (count < 0 && errno != EINTR) fail("read");
      if (count == 0) break;
      if (count > 0) done += static_cast<std::size_t>(count);
    }
    data.resize(done);
    return data;
  }

  void zero_sector(std::uint64_t offset) const {
    const unsigned char zeroes[kSectorBytes] = {};
    const ssize_t count =
        pwrite(fd_, zeroes, sizeof zeroes, static_cast<off_t>(offset));
    if (count != static_cast<ssize_t>(sizeof zeroes)) fail("write to");
  }

  void flush() const {
    if (fsync(fd_) != 0) fail("flush");
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    throw std::system_error(errno, std::generic_category(),
                            std::string(action) + " " + path_);
  }

  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

bool is_magic(const unsigned char* data) {
  return std::memcmp(data, kMagic, sizeof kMagic) == 0;
}

// Superblocks (magic number in the middle) and tables of them (at the start).
void scan(const Device& device, std::uint64_t from, std::uint64_t length,
          std::set<std::uint64_t>& found) {
  const std::vector<unsigned char> data = device.read(from, length);
  for (std::size_t at = 0; at + kSectorBytes <= data.size();
       at += kSectorBytes) {
    if (is_magic(&data[at]) || is_magic(&data[at + kMagicOffset])) {
      found.insert(from + at);
    }
  }
}

void follow_table(const Device& device, std::set<std::uint64_t>& found) {
  const std::vector<unsigned char> table =
      device.read(kTableOffset, kSectorBytes);
  if (table.size() < kSectorBytes || !is_magic(table.data())) return;
  const std::size_t count =
      std::min<std::size_t>(table[kCountOffset], kMostCopies);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t sector = 0;
    for (std::size_t byte = 8; byte-- > 0;) {
      sector = sector << 8 | table[kOffsetsOffset + 8 * i + byte];
    }
    if (sector < device.size() / kSectorBytes) {
      scan(device, sector * kSectorBytes, kSectorBytes, found);
    }
  }
}

std::vector<std::uint64_t> find_on(const Device& device) {
  std::set<std::uint64_t> found;
  follow_table(device, found);
  const std::uint64_t length = std::min(kEndBytes, device.size());
  scan(device, 0, length, found);
  // The end may not fall on a sector that counts from it.
  const std::uint64_t tail =
      (device.size() - length) / kSectorBytes * kSectorBytes;
  scan(device, tail, device.size() - tail, found);
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::uint64_t> find_superblocks(const std::string& path) {
  return find_on(Device(path, O_RDONLY));
}

std::size_t wipe_superblocks(const std::string& path) {
  const Device device(path, O_RDWR);
  const std::vector<std::uint64_t> found = find_on(device);
  // From the end: were we killed on the way, the table would still lead to
  // what is left.
  for (auto offset = found.rbegin(); offset != found.rend(); ++offset) {
    device.zero_sector(*offset);
  }
  if (!found.empty()) device.flush();
  const std::vector<std::uint64_t> left = find_on(device);
  if (left.empty()) return found.size();
  throw Error(COWBENCH_TOOL_FAILED, "wipe the bcachefs superblocks of " + path +
                                        ": the one at byte " +
                                        std::to_string(left.front()) +
                                        " is still there");
}

}  // namespace cowbench::bcachefs
