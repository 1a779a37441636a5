// SPDX-License-Identifier: Apache-2.0
#include "tree.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>

#include "clock.hpp"
#include "crew.hpp"
#include "directory.hpp"
#include "posix.hpp"
#include "random.hpp"

namespace cowbench::workloads {

namespace {

// Every file's content is a slice of one pool, which fits into a second-level
// cache. Slices whose offsets are alike modulo a block are apart by the
// largest file, all others are shifted against each other: so no two files
// share an aligned block, which a filesystem could store but once.
constexpr std::uint32_t kPoolBytes = std::uint32_t{1} << 20;
constexpr std::uint32_t kBlockBytes = 4096;
constexpr std::uint32_t kShiftBytes = 8;

constexpr std::size_t kEntriesBytes = std::size_t{64} << 10;
constexpr std::size_t kCopyBytes = std::size_t{128} << 10;

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kCreateFile = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;

// Where slices of up to `spacing` bytes begin. Comes back to the first one
// after (pool / spacing) * (block / shift) files, 65,536 for 8 KiB.
std::uint32_t content_offset(std::uint32_t index, std::uint32_t spacing) {
  const std::uint32_t slices = std::max(1u, kPoolBytes / spacing);
  return index % slices * spacing + index / slices * kShiftBytes % kBlockBytes;
}

std::string numbered(const char* prefix, std::uint32_t number) {
  char name[32];
  std::snprintf(name, sizeof name, "%s%05u", prefix, number);
  return name;
}

std::string joined(const std::string& directory, const char* name) {
  return directory + "/" + name;
}

Descriptor open_directory(int parent, const char* name,
                          const std::string& path) {
  Descriptor directory(::openat(parent, name, kOpenDirectory));
  if (directory.get() < 0) throw_errno("openat", path);
  return directory;
}

// `size` bytes, or throws for `directory`/`name`.
void write_all(int fd, const char* from, std::size_t size,
               const std::string& directory, const char* name) {
  while (size > 0) {
    const ssize_t written = ::write(fd, from, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      throw_errno("write", joined(directory, name));
    }
    from += written;
    size -= static_cast<std::size_t>(written);
  }
}

unsigned char type_of(int directory, const dirent64& entry,
                      const std::string& path) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type;
  struct stat status {};
  if (::fstatat(directory, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    throw_errno("fstatat", joined(path, entry.d_name));
  return static_cast<unsigned char>(IFTODT(status.st_mode));
}

std::string text_of(const TreeCounts& counts) {
  return std::to_string(counts.files) + " files in " +
         std::to_string(counts.directories) + " directories, " +
         std::to_string(counts.bytes) + " bytes";
}

void require_equal(const std::string& what, const TreeCounts& expected,
                   const TreeCounts& found) {
  if (expected == found) return;
  throw std::runtime_error(what + ": expected " + text_of(expected) +
                           ", found " + text_of(found));
}

void count_directory(int directory, const std::string& path,
                     TreeCounts& counts) {
  std::vector<char> entries(kEntriesBytes);
  while (const auto used = read_entries(directory, entries, path))
    for_each_entry(entries, used, [&](const dirent64& entry) {
      struct stat status {};
      if (::fstatat(directory, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        throw_errno("fstatat", joined(path, entry.d_name));
      if (S_ISDIR(status.st_mode)) {
        ++counts.directories;
        const std::string below = joined(path, entry.d_name);
        count_directory(open_directory(directory, entry.d_name, below).get(),
                        below, counts);
      } else {
        ++counts.files;
        counts.bytes += static_cast<std::uint64_t>(status.st_size);
      }
    });
}

class Copier {
 public:
  Copier() : buffer_(kCopyBytes) {}

  void copy_directory(int source, const std::string& source_path,
                      int destination, const std::string& destination_path) {
    std::vector<char> entries(kEntriesBytes);
    while (const auto used = read_entries(source, entries, source_path))
      for_each_entry(entries, used, [&](const dirent64& entry) {
        const char* name = entry.d_name;
        const auto type = type_of(source, entry, source_path);
        if (type == DT_REG) {
          copy_file(source, source_path, destination, destination_path, name);
        } else if (type == DT_DIR) {
          const std::string from = joined(source_path, name);
          const std::string to = joined(destination_path, name);
          if (::mkdirat(destination, name, 0755) != 0)
            throw_errno("mkdirat", to);
          copy_directory(open_directory(source, name, from).get(), from,
                         open_directory(destination, name, to).get(), to);
        } else {
          throw std::runtime_error("copy " + joined(source_path, name) +
                                   ": neither a file nor a directory");
        }
      });
  }

 private:
  // By read and write on purpose: copy_file_range makes clones where the
  // filesystem can, and the time of a clone says nothing about copying.
  void copy_file(int source, const std::string& source_path, int destination,
                 const std::string& destination_path, const char* name) {
    const Descriptor from(
        ::openat(source, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (from.get() < 0) throw_errno("openat", joined(source_path, name));
    Descriptor to(::openat(destination, name, kCreateFile, 0644));
    if (to.get() < 0) throw_errno("openat", joined(destination_path, name));
    for (;;) {
      const ssize_t got = ::read(from.get(), buffer_.data(), buffer_.size());
      if (got == 0) break;
      if (got < 0) {
        if (errno == EINTR) continue;
        throw_errno("read", joined(source_path, name));
      }
      write_all(to.get(), buffer_.data(), static_cast<std::size_t>(got),
                destination_path, name);
    }
    if (to.close() != 0) throw_errno("close", joined(destination_path, name));
  }

  std::vector<char> buffer_;
};

void remove_contents(int directory, const std::string& path,
                     TreeCounts& removed) {
  std::vector<char> entries(kEntriesBytes);
  // All names first: what a directory lists while it shrinks is up to the
  // filesystem.
  const auto used = read_all_entries(directory, entries, path);
  for_each_entry(entries, used, [&](const dirent64& entry) {
    const char* name = entry.d_name;
    const bool is_directory = type_of(directory, entry, path) == DT_DIR;
    if (is_directory) {
      const std::string below = joined(path, name);
      remove_contents(open_directory(directory, name, below).get(), below,
                      removed);
    }
    if (::unlinkat(directory, name, is_directory ? AT_REMOVEDIR : 0) != 0)
      throw_errno("unlinkat", joined(path, name));
    ++(is_directory ? removed.directories : removed.files);
  });
}

}  // namespace

SourceTree::SourceTree(const TreePlan& plan) {
  if (plan.directories == 0 || plan.sizes_bytes.empty())
    throw std::invalid_argument("a source tree needs directories and sizes");
  const auto largest =
      *std::max_element(plan.sizes_bytes.begin(), plan.sizes_bytes.end());
  const std::uint32_t spacing =
      std::max(1u, (largest + kBlockBytes - 1) / kBlockBytes) * kBlockBytes;
  Random random(plan.seed);
  directories_.resize(plan.directories);
  for (std::uint32_t i = 0; i < plan.directories; ++i)
    directories_[i].name = numbered("d", i);
  // Files fill one directory after the other, in the order of an unpacked
  // archive; the first ones take what doesn't divide evenly.
  const std::uint32_t each = plan.files / plan.directories;
  const std::uint32_t more = plan.files % plan.directories;
  std::uint32_t index = 0;
  for (std::uint32_t d = 0; d < plan.directories; ++d)
    for (std::uint32_t n = 0; n < each + (d < more ? 1 : 0); ++n, ++index) {
      const auto drawn =
          static_cast<std::size_t>(random.below(plan.sizes_bytes.size()));
      directories_[d].files.push_back({numbered("f", index),
                                       plan.sizes_bytes[drawn],
                                       content_offset(index, spacing)});
      counts_.bytes += plan.sizes_bytes[drawn];
    }
  counts_.files = plan.files;
  counts_.directories = plan.directories;
  content_.resize(std::size_t{kPoolBytes} + spacing + kBlockBytes);
  random.fill(content_.data(), content_.size());
}

void SourceTree::create_directory(int root, const std::string& root_path,
                                  const Directory& directory) const {
  const std::string path = joined(root_path, directory.name.c_str());
  if (::mkdirat(root, directory.name.c_str(), 0755) != 0)
    throw_errno("mkdirat", path);
  const Descriptor parent = open_directory(root, directory.name.c_str(), path);
  for (const File& file : directory.files) {
    const char* name = file.name.c_str();
    Descriptor fd(::openat(parent.get(), name, kCreateFile, 0644));
    if (fd.get() < 0) throw_errno("openat", joined(path, name));
    write_all(fd.get(), content_.data() + file.content_offset, file.size_bytes,
              path, name);
    if (fd.close() != 0) throw_errno("close", joined(path, name));
  }
}

void SourceTree::create_share(int root, const std::string& root_path,
                              unsigned first, unsigned step) const {
  for (std::size_t i = first; i < directories_.size(); i += step)
    create_directory(root, root_path, directories_[i]);
}

std::uint64_t SourceTree::create(const std::string& root, unsigned workers,
                                 const Finish& finish) const {
  const unsigned count = std::max(workers, 1u);
  if (::mkdir(root.c_str(), 0755) != 0) throw_errno("mkdir", root);
  const Descriptor parent = open_directory(AT_FDCWD, root.c_str(), root);
  Crew crew(count, [&](unsigned worker) {
    create_share(parent.get(), root, worker, count);
  });
  const std::uint64_t started = monotonic_ns();
  crew.run();
  finish();
  return monotonic_ns() - started;
}

TreeCounts count_tree(const std::string& root) {
  TreeCounts counts;
  count_directory(open_directory(AT_FDCWD, root.c_str(), root).get(), root,
                  counts);
  return counts;
}

void require_tree(const std::string& root, const TreeCounts& expected) {
  require_equal("count " + root, expected, count_tree(root));
}

std::uint64_t copy_tree(const std::string& source,
                        const std::string& destination, const Finish& finish) {
  if (::mkdir(destination.c_str(), 0755) != 0)
    throw_errno("mkdir", destination);
  const Descriptor to =
      open_directory(AT_FDCWD, destination.c_str(), destination);
  Copier copier;
  const std::uint64_t started = monotonic_ns();
  const Descriptor from = open_directory(AT_FDCWD, source.c_str(), source);
  copier.copy_directory(from.get(), source, to.get(), destination);
  finish();
  return monotonic_ns() - started;
}

std::uint64_t remove_tree(const std::string& root, const TreeCounts& expected,
                          const Finish& finish) {
  TreeCounts removed;
  const std::uint64_t started = monotonic_ns();
  remove_contents(open_directory(AT_FDCWD, root.c_str(), root).get(), root,
                  removed);
  if (::rmdir(root.c_str()) != 0) throw_errno("rmdir", root);
  finish();
  const std::uint64_t ended = monotonic_ns();
  // Sizes aren't looked at while deleting: that would be another workload.
  removed.bytes = expected.bytes;
  require_equal("remove " + root, expected, removed);
  return ended - started;
}

}  // namespace cowbench::workloads
