// SPDX-License-Identifier: Apache-2.0
// Files and folders.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// The whole content; works for /proc and /sys too.
Result<std::string> read_file(const std::string& path);
// The first line without surrounding blanks, or empty: for /sys and /proc.
std::string read_trimmed(const std::string& path);

// The names in a folder, sorted, without "." and ".."; empty when it cannot be
// read.
std::vector<std::string> list_folder(const std::string& path);
// Why the names in a folder cannot be read. One that is absent has none, and is
// no error.
Status check_readable_folder(const std::string& path);
// Why others than root and the user of this process could have written a file
// or folder: its owner, its mode, or that it is a link.
Status check_private(const std::string& path);
// Whether something is there; a link counts by itself.
bool path_exists(const std::string& path);
// Absolute, with all links resolved; what does not exist stays as written.
std::string canonical_path(const std::string& path);

// Replaces path with content so that after a crash either the old or the new
// file is there, whole: temporary file, fsync, rename, fsync of the folder.
Status write_file_durable(const std::string& path, std::string_view content,
                          mode_t mode = 0644);
// Makes the entries of a folder durable.
Status sync_folder(const std::string& folder);

// Writes all bytes, also when the kernel takes them in pieces.
Status write_all(int fd, std::string_view bytes, std::string_view name);

// Makes a folder and its parents; existing ones are left as they are.
Status make_directories(const std::string& path, mode_t mode = 0755);

// Removes a file, or a folder with everything in it. Never follows a link and
// never enters a mount: a mount point inside is an error, and stays. A path
// that does not exist is success.
Status remove_tree(const std::string& path);

// Makes a new file of that size without allocating; an existing one is an
// error.
Status create_sparse_file(const std::string& path, std::uint64_t size_bytes);

// Sets or clears the immutable flag. False where the filesystem or the user
// cannot do that.
bool set_immutable(const std::string& path, bool immutable);

// Under sudo, gives path to the invoking user (SUDO_UID, SUDO_GID). Never
// follows a link. Otherwise does nothing.
Status chown_to_invoker(const std::string& path);

}  // namespace cowbench
