// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "system/file.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

// Opens a folder inside parent; EXDEV when it is a mount point, ENOTDIR or
// ELOOP when it is no folder.
UniqueFd open_inside(int parent, const char* name) {
  open_how how{};
  how.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS;
  return UniqueFd(
      static_cast<int>(syscall(SYS_openat2, parent, name, &how, sizeof how)));
}

Error mount_point_error(const std::string& path) {
  return Error(Category::kToolFailed,
               "remove " + path +
                   ": something is mounted there, and is left alone; unmount "
                   "it first");
}

Status remove_entry(int parent, const char* name, const std::string& path);

Status empty_folder(UniqueFd fd, const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(fdopendir(fd.get()),
                                                   closedir);
  if (!folder) return system_error("read the folder", path, errno);
  const int number = fd.release();
  errno = 0;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name(entry->d_name);
    if (name == "." || name == "..") continue;
    auto removed =
        remove_entry(number, entry->d_name, path + "/" + entry->d_name);
    if (!removed) return removed;
    errno = 0;
  }
  if (errno != 0) return system_error("read the folder", path, errno);
  return {};
}

Status remove_entry(int parent, const char* name, const std::string& path) {
  if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return {};
  // A folder: POSIX says EPERM, Linux EISDIR.
  if (errno != EISDIR && errno != EPERM) {
    return errno == EBUSY ? mount_point_error(path)
                          : system_error("remove", path, errno);
  }
  const int unlink_error = errno;
  UniqueFd fd = open_inside(parent, name);
  if (!fd.valid()) {
    if (errno == EXDEV) return mount_point_error(path);
    return system_error(
        "remove", path,
        errno == ENOTDIR || errno == ELOOP ? unlink_error : errno);
  }
  if (auto emptied = empty_folder(std::move(fd), path); !emptied) {
    return emptied;
  }
  if (unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return errno == EBUSY ? mount_point_error(path)
                          : system_error("remove the folder", path, errno);
  }
  return {};
}

bool is_mount_root(const std::string& path) {
  struct statx facts {};
  return statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &facts) == 0 &&
         (facts.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0 &&
         (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace

Status remove_tree(const std::string& path) {
  std::string plain = path;
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  if (is_mount_root(plain)) return mount_point_error(plain);
  const auto slash = plain.rfind('/');
  const std::string parent =
      slash == std::string::npos ? "." : plain.substr(0, slash + 1);
  const std::string name =
      slash == std::string::npos ? plain : plain.substr(slash + 1);
  if (name.empty() || name == "." || name == "..") {
    return Error(Category::kUsage,
                 "remove \"" + path + "\": not the name of a file or folder");
  }
  UniqueFd fd(open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) {
    if (errno == ENOENT) return {};
    return system_error("open the folder", parent, errno);
  }
  return remove_entry(fd.get(), name.c_str(), plain);
}

}  // namespace cowbench
