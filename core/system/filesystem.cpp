// SPDX-License-Identifier: Apache-2.0
#include "system/filesystem.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "system/file.hpp"
#include "system/mount.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

std::string nearest_existing(const std::string& path) {
  std::filesystem::path candidate = canonical_path(path);
  struct stat facts {};
  while (stat(candidate.c_str(), &facts) != 0 &&
         candidate.has_relative_path()) {
    candidate = candidate.parent_path();
  }
  return candidate.string();
}

}  // namespace

Result<FilesystemFacts> filesystem_facts(const std::string& path) {
  const std::string existing = nearest_existing(path);
  struct statvfs numbers {};
  struct stat identity {};
  if (statvfs(existing.c_str(), &numbers) != 0 ||
      stat(existing.c_str(), &identity) != 0) {
    return system_error("ask for the filesystem of", existing, errno);
  }
  FilesystemFacts facts;
  const std::uint64_t unit = numbers.f_frsize;
  facts.total_bytes = numbers.f_blocks * unit;
  facts.free_bytes = numbers.f_bfree * unit;
  facts.available_bytes = numbers.f_bavail * unit;
  facts.total_inodes = numbers.f_files;
  facts.free_inodes = numbers.f_ffree;
  facts.block_bytes = static_cast<std::uint32_t>(numbers.f_bsize);
  facts.device = identity.st_dev;
  facts.read_only = (numbers.f_flag & ST_RDONLY) != 0;
  if (const auto mount = mount_containing(existing)) {
    facts.type = mount->type;
    facts.source = mount->source;
    facts.target = mount->target;
  }
  facts.memory_backed = facts.type == "tmpfs" || facts.type == "ramfs" ||
                        facts.type == "devtmpfs";
  return facts;
}

Result<dev_t> filesystem_id(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    return system_error("inspect", path, errno);
  }
  return facts.st_dev;
}

Status sync_filesystem(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return system_error("open", path, errno);
  if (syncfs(fd.get()) != 0) {
    return system_error("sync the filesystem of", path, errno);
  }
  return {};
}

Status check_writable(const std::string& folder) {
  struct statvfs numbers {};
  if (statvfs(folder.c_str(), &numbers) != 0) {
    return system_error("ask for the filesystem of", folder, errno);
  }
  if ((numbers.f_flag & ST_RDONLY) != 0) {
    return Error(Category::kToolFailed,
                 "write to " + folder + ": its filesystem is read-only");
  }
  std::string probe = folder + "/.cowbench-probe-XXXXXX";
  UniqueFd fd(mkostemp(probe.data(), O_CLOEXEC));
  if (!fd.valid()) return system_error("make a file in", folder, errno);
  auto written = write_all(fd.get(), "probe\n", probe);
  if (unlink(probe.c_str()) != 0 && written) {
    written = system_error("remove", probe, errno);
  }
  return written;
}

}  // namespace cowbench
