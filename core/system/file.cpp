// SPDX-License-Identifier: Apache-2.0
#include "system/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/text.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Unique among the threads and processes that may write the same file.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return path + ".tmp." + std::to_string(getpid()) + "." +
         std::to_string(count++);
}

Status write_new_file(const std::string& path, std::string_view content,
                      mode_t mode) {
  UniqueFd fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.valid()) return system_error("create", path, errno);
  if (auto written = write_all(fd.get(), content, path); !written) {
    return written;
  }
  if (fsync(fd.get()) != 0) return system_error("fsync", path, errno);
  return {};
}

std::optional<unsigned> number_variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  unsigned number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return system_error("open", path, errno);
  std::string content;
  char piece[16384];
  for (;;) {
    const ssize_t count = read(fd.get(), piece, sizeof piece);
    if (count == 0) return content;
    if (count > 0) {
      content.append(piece, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return system_error("read", path, errno);
    }
  }
}

std::string read_trimmed(const std::string& path) {
  const auto content = read_file(path);
  if (!content) return {};
  const std::string_view text(*content);
  return std::string(trim(text.substr(0, text.find('\n'))));
}

std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()),
                                                   closedir);
  if (!folder) return names;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status check_readable_folder(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.valid() || errno == ENOENT) return {};
  return system_error("read the folder", path, errno);
}

Status check_private(const std::string& path) {
  struct stat facts {};
  if (lstat(path.c_str(), &facts) != 0) {
    return system_error("inspect", path, errno);
  }
  const bool owned = facts.st_uid == 0 || facts.st_uid == geteuid();
  const bool shared = (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (owned && !shared && !S_ISLNK(facts.st_mode)) return {};
  return Error(Category::kEnvironment,
               path +
                   ": others than root can write to it, or it is a link; what "
                   "it holds is not done. Look at it, then chown it to root "
                   "and chmod go-w");
}

bool path_exists(const std::string& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0;
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const auto found = std::filesystem::weakly_canonical(path, error);
  if (error) return path;
  const auto absolute = std::filesystem::absolute(found, error);
  std::string text = error ? found.string() : absolute.string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

Status write_file_durable(const std::string& path, std::string_view content,
                          mode_t mode) {
  const std::string temporary = temporary_name(path);
  auto status = write_new_file(temporary, content, mode);
  if (status && rename(temporary.c_str(), path.c_str()) != 0) {
    status = system_error("rename " + temporary + " to", path, errno);
  }
  if (!status) {
    unlink(temporary.c_str());
    return status;
  }
  return sync_folder(folder_of(path));
}

Status sync_folder(const std::string& folder) {
  UniqueFd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return system_error("open the folder", folder, errno);
  // Some filesystems cannot sync a folder; they say EINVAL.
  if (fsync(fd.get()) != 0 && errno != EINVAL) {
    return system_error("fsync the folder", folder, errno);
  }
  return {};
}

Status write_all(int fd, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return system_error("write", name, errno);
    }
  }
  return {};
}

Status make_directories(const std::string& path, mode_t mode) {
  if (path.empty()) return Error(Category::kUsage, "make a folder: no name");
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), mode) == 0) continue;
    const int error = errno;
    // A parent on a read-only filesystem may well exist.
    struct stat facts {};
    if (stat(part.c_str(), &facts) != 0) {
      return system_error("make the folder", part, error);
    }
    if (!S_ISDIR(facts.st_mode)) {
      return system_error("make the folder", part, ENOTDIR);
    }
  }
  return {};
}

Status create_sparse_file(const std::string& path, std::uint64_t size_bytes) {
  if (size_bytes > static_cast<std::uint64_t>(LLONG_MAX)) {
    return system_error("create", path, EFBIG);
  }
  UniqueFd fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) return system_error("create", path, errno);
  if (ftruncate(fd.get(), static_cast<off_t>(size_bytes)) != 0) {
    const int error = errno;
    unlink(path.c_str());
    return system_error("give " + std::to_string(size_bytes) + " bytes to",
                        path, error);
  }
  return {};
}

bool set_immutable(const std::string& path, bool immutable) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return false;
  int flags = 0;
  if (ioctl(fd.get(), FS_IOC_GETFLAGS, &flags) != 0) return false;
  const int wanted =
      immutable ? flags | FS_IMMUTABLE_FL : flags & ~FS_IMMUTABLE_FL;
  return wanted == flags || ioctl(fd.get(), FS_IOC_SETFLAGS, &wanted) == 0;
}

Status chown_to_invoker(const std::string& path) {
  if (geteuid() != 0) return {};
  const auto user = number_variable("SUDO_UID");
  const auto group = number_variable("SUDO_GID");
  if (!user || !group) return {};
  if (lchown(path.c_str(), *user, *group) != 0) {
    return system_error("give to the invoking user", path, errno);
  }
  return {};
}

}  // namespace cowbench
