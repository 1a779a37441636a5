// SPDX-License-Identifier: Apache-2.0
#include "system/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

// Large enough that a file of many GiB takes few calls, small enough that the
// answer of mincore stays a page or so.
constexpr std::uint64_t kWindowBytes = 256ULL << 20;

Result<std::uint64_t> cached_in_window(int fd, std::uint64_t offset,
                                       std::uint64_t length,
                                       const std::string& path) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  void* map = mmap(nullptr, length, PROT_READ, MAP_SHARED, fd,
                   static_cast<off_t>(offset));
  if (map == MAP_FAILED) return system_error("map", path, errno);
  std::vector<unsigned char> pages((length + page - 1) / page);
  const int failed = mincore(map, length, pages.data()) != 0 ? errno : 0;
  munmap(map, length);
  if (failed != 0) return system_error("ask mincore about", path, failed);
  const auto count = std::count_if(pages.begin(), pages.end(),
                                   [](unsigned char p) { return p & 1; });
  return static_cast<std::uint64_t>(count) * page;
}

}  // namespace

Status drop_file_cache(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return system_error("open", path, errno);
  // Dirty pages are never dropped.
  if (fsync(fd.get()) != 0) return system_error("fsync", path, errno);
  const int error = posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
  if (error != 0) return system_error("drop the cache of", path, error);
  return {};
}

Result<std::uint64_t> cached_bytes(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return system_error("open", path, errno);
  // Works for block devices as well, where st_size says 0.
  const off_t end = lseek(fd.get(), 0, SEEK_END);
  if (end < 0) return system_error("find the size of", path, errno);
  const auto size = static_cast<std::uint64_t>(end);
  std::uint64_t total = 0;
  for (std::uint64_t offset = 0; offset < size; offset += kWindowBytes) {
    const auto length = std::min(kWindowBytes, size - offset);
    auto part = cached_in_window(fd.get(), offset, length, path);
    if (!part) return part;
    total += *part;
  }
  return std::min(total, size);
}

}  // namespace cowbench
