// SPDX-License-Identifier: Apache-2.0
#include "directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <utility>

namespace cowbench::workloads {

namespace {

// Large enough that the calls themselves don't count, small enough to stay
// in the second-level cache.
constexpr std::size_t kBatchBytes = std::size_t{256} << 10;

// getdents64 refuses a buffer too small for the next entry.
constexpr std::size_t kLargestEntry = sizeof(dirent64);

std::size_t read_into(int directory, char* buffer, std::size_t bytes,
                      const std::string& path) {
  const ssize_t got = ::getdents64(directory, buffer, bytes);
  if (got < 0) throw_errno("getdents64", path);
  return static_cast<std::size_t>(got);
}

}  // namespace

std::size_t read_entries(int directory, std::vector<char>& buffer,
                         const std::string& path) {
  return read_into(directory, buffer.data(), buffer.size(), path);
}

std::size_t read_all_entries(int directory, std::vector<char>& buffer,
                             const std::string& path) {
  std::size_t used = 0;
  for (;;) {
    if (buffer.size() - used < kLargestEntry)
      buffer.resize(2 * buffer.size() + kLargestEntry);
    const std::size_t got =
        read_into(directory, buffer.data() + used, buffer.size() - used, path);
    if (got == 0) return used;
    used += got;
  }
}

LargeDirectory::LargeDirectory(std::string path, std::uint64_t files)
    : path_(std::move(path)), files_(files), batch_(kBatchBytes) {
  const std::string last = std::to_string(files == 0 ? 0 : files - 1);
  const int digits = static_cast<int>(last.size());
  name_bytes_ = last.size() + 2;
  names_.resize(files * name_bytes_);
  for (std::uint64_t i = 0; i < files; ++i)
    std::snprintf(&names_[i * name_bytes_], name_bytes_, "f%0*llu", digits,
                  static_cast<unsigned long long>(i));
  // Entries are padded to eight bytes; one more for "." and "..".
  const std::size_t entry = offsetof(dirent64, d_name) + name_bytes_ + 8;
  entries_.resize((files + 2) * entry + kLargestEntry);
}

Descriptor LargeDirectory::open() const {
  Descriptor directory(
      ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) throw_errno("open", path_);
  return directory;
}

std::uint64_t LargeDirectory::create() {
  if (::mkdir(path_.c_str(), 0755) != 0) throw_errno("mkdir", path_);
  const Descriptor directory = open();
  const char* name = names_.data();
  std::uint64_t created = 0;
  for (; created < files_; ++created, name += name_bytes_) {
    const int fd = ::openat(directory.get(), name,
                            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) throw_errno("openat", path_ + "/" + name);
    if (::close(fd) != 0) throw_errno("close", path_ + "/" + name);
  }
  return created;
}

std::uint64_t LargeDirectory::enumerate() {
  const Descriptor directory = open();
  std::uint64_t names = 0;
  while (const auto used = read_entries(directory.get(), batch_, path_))
    for_each_entry(batch_, used, [&](const dirent64&) { ++names; });
  return names;
}

std::uint64_t LargeDirectory::enumerate_and_stat() {
  const Descriptor directory = open();
  std::uint64_t matching = 0;
  while (const auto used = read_entries(directory.get(), batch_, path_))
    for_each_entry(batch_, used, [&](const dirent64& entry) {
      struct statx status;
      if (::statx(directory.get(), entry.d_name, AT_SYMLINK_NOFOLLOW,
                  STATX_BASIC_STATS, &status) != 0)
        throw_errno("statx", path_ + "/" + entry.d_name);
      if (S_ISREG(status.stx_mode) && status.stx_size == 0) ++matching;
    });
  return matching;
}

std::uint64_t LargeDirectory::remove() {
  std::uint64_t removed = 0;
  {
    const Descriptor directory = open();
    // All names first: what a directory lists while it shrinks is up to the
    // filesystem.
    const auto used = read_all_entries(directory.get(), entries_, path_);
    for_each_entry(entries_, used, [&](const dirent64& entry) {
      if (::unlinkat(directory.get(), entry.d_name, 0) != 0)
        throw_errno("unlinkat", path_ + "/" + entry.d_name);
      ++removed;
    });
  }
  if (::rmdir(path_.c_str()) != 0) throw_errno("rmdir", path_);
  return removed;
}

}  // namespace cowbench::workloads
