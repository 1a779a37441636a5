// SPDX-License-Identifier: Apache-2.0
#include "system/append_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "system/file.hpp"
#include "system/system_error.hpp"

namespace cowbench {

AppendFile::AppendFile(std::string path, UniqueFd fd)
    : path_(std::move(path)), fd_(std::move(fd)) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::move(other.fd_)) {}

Result<AppendFile> AppendFile::open(const std::string& path) {
  UniqueFd fd(
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) return system_error("open", path, errno);
  struct stat facts {};
  if (fstat(fd.get(), &facts) != 0) {
    return system_error("inspect", path, errno);
  }
  if (facts.st_size == 0) {
    const auto folder = std::filesystem::path(path).parent_path().string();
    auto synced = sync_folder(folder.empty() ? "." : folder);
    if (!synced) return synced.error();
  } else {
    char last = '\n';
    if (pread(fd.get(), &last, 1, facts.st_size - 1) < 0) {
      return system_error("read", path, errno);
    }
    if (last != '\n') {
      auto ended = write_all(fd.get(), "\n", path);
      if (!ended) return ended.error();
    }
  }
  return AppendFile(path, std::move(fd));
}

Status AppendFile::write_line(std::string_view line) {
  std::string whole(line);
  whole += '\n';
  const std::lock_guard<std::mutex> lock(mutex_);
  return write_all(fd_.get(), whole, path_);
}

Status AppendFile::sync() {
  if (fdatasync(fd_.get()) != 0) return system_error("sync", path_, errno);
  return {};
}

Status AppendFile::write_line_durable(std::string_view line) {
  auto written = write_line(line);
  return written ? sync() : written;
}

}  // namespace cowbench
