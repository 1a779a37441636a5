// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "posix.hpp"

namespace cowbench::workloads {

// Reads the next directory entries into `buffer` (getdents64), at most its
// size. Returns the bytes used; 0 at the end. `path` is for the message of
// the std::system_error it throws.
std::size_t read_entries(int directory, std::vector<char>& buffer,
                         const std::string& path);

// Reads all that is left of a directory, growing `buffer` where it must.
// Returns the bytes used. Throws like read_entries().
std::size_t read_all_entries(int directory, std::vector<char>& buffer,
                             const std::string& path);

// Calls `visit(const dirent64&)` for each entry of the first `used` bytes of
// `buffer`, in the directory's order, without "." and "..". An entry lives
// as long as the buffer is left alone.
template <typename Visit>
void for_each_entry(const std::vector<char>& buffer, std::size_t used,
                    Visit&& visit) {
  for (std::size_t at = 0; at < used;) {
    const auto& entry = *reinterpret_cast<const dirent64*>(buffer.data() + at);
    at += entry.d_reclen;
    const char* name = entry.d_name;
    if (name[0] == '.' &&
        (name[1] == '\0' || (name[1] == '.' && name[2] == '\0')))
      continue;
    visit(entry);
  }
}

// One directory with many empty files, and the loops that are timed on it.
// Names and buffers are prepared by the constructor, before any clock runs.
// Each loop opens the directory itself, as its first timed call: so nothing
// keeps the filesystem busy between two loops, and a cold one pays for the
// directory's own inode too.
//
// The loops return counts, which the caller compares with files(); a count
// that disagrees is the caller's failure to report. They throw
// std::system_error when a call fails. One instance, one thread at a time.
class LargeDirectory {
 public:
  // path: of the directory; it must not exist yet, its parent must.
  // files: how many, named "f" + the index, zero-padded to equal length.
  LargeDirectory(std::string path, std::uint64_t files);

  const std::string& path() const { return path_; }
  std::uint64_t files() const { return files_; }

  // Makes the directory and creates the files by ascending index (O_EXCL,
  // mode 0644). Returns how many were created.
  std::uint64_t create();

  // Reads all names with getdents64. Returns how many there were.
  std::uint64_t enumerate();

  // The same, and statx of each entry in the directory's order. Returns how
  // many of them are empty regular files.
  std::uint64_t enumerate_and_stat();

  // Reads all names, unlinks them in the directory's order, removes the
  // directory. Returns how many files were unlinked.
  std::uint64_t remove();

 private:
  Descriptor open() const;

  std::string path_;
  std::uint64_t files_;
  std::size_t name_bytes_;     // of one name, with its NUL
  std::vector<char> names_;    // back to back
  std::vector<char> batch_;    // for loops that read and go on
  std::vector<char> entries_;  // for remove(), which needs all of them
};

}  // namespace cowbench::workloads
