// SPDX-License-Identifier: Apache-2.0
#include "bare_loops.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace bare {

namespace {

int must(long result, const char* call) {
  if (result < 0) {
    std::perror(call);
    std::exit(2);
  }
  return static_cast<int>(result);
}

int open_directory(int parent, const char* path) {
  return must(openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
              "openat");
}

constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;

bool dots(const char* name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

}  // namespace

void create_tree(const char* root, const std::vector<Directory>& directories,
                 const char* content) {
  const int top = open_directory(AT_FDCWD, root);
  for (const auto& directory : directories) {
    must(mkdirat(top, directory.name.c_str(), 0755), "mkdirat");
    const int parent = open_directory(top, directory.name.c_str());
    for (const auto& file : directory.files) {
      const int fd =
          must(openat(parent, file.name.c_str(), kNew, 0644), "openat");
      must(write(fd, content, file.bytes), "write");
      must(close(fd), "close");
      content += 64;
    }
    close(parent);
  }
  close(top);
}

void create_files(const char* path, const std::vector<std::string>& names) {
  must(mkdir(path, 0755), "mkdir");
  const int parent = open_directory(AT_FDCWD, path);
  for (const auto& name : names)
    must(close(must(openat(parent, name.c_str(), kNew, 0644), "openat")),
         "close");
  close(parent);
}

std::size_t enumerate(const char* path, char* buffer, std::size_t bytes) {
  const int parent = open_directory(AT_FDCWD, path);
  std::size_t names = 0;
  while (const int used = must(getdents64(parent, buffer, bytes), "getdents64"))
    for (int at = 0; at < used;) {
      const auto* entry = reinterpret_cast<dirent64*>(buffer + at);
      names += !dots(entry->d_name);
      at += entry->d_reclen;
    }
  close(parent);
  return names;
}

std::size_t enumerate_and_stat(const char* path, char* buffer,
                               std::size_t bytes) {
  const int parent = open_directory(AT_FDCWD, path);
  std::size_t names = 0;
  while (const int used = must(getdents64(parent, buffer, bytes), "getdents64"))
    for (int at = 0; at < used;) {
      const auto* entry = reinterpret_cast<dirent64*>(buffer + at);
      at += entry->d_reclen;
      if (dots(entry->d_name)) continue;
      struct statx status;
      must(statx(parent, entry->d_name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS,
                 &status),
           "statx");
      ++names;
    }
  close(parent);
  return names;
}

std::size_t remove_files(const char* path, char* buffer, std::size_t bytes) {
  const int parent = open_directory(AT_FDCWD, path);
  std::size_t used = 0;
  while (const int got = must(getdents64(parent, buffer + used, bytes - used),
                              "getdents64"))
    used += static_cast<std::size_t>(got);
  std::size_t names = 0;
  for (std::size_t at = 0; at < used;) {
    const auto* entry = reinterpret_cast<dirent64*>(buffer + at);
    at += entry->d_reclen;
    if (dots(entry->d_name)) continue;
    must(unlinkat(parent, entry->d_name, 0), "unlinkat");
    ++names;
  }
  close(parent);
  must(rmdir(path), "rmdir");
  return names;
}

}  // namespace bare
