// SPDX-License-Identifier: Apache-2.0
#include "vm/stage.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/hash.hpp"
#include "system/file.hpp"
#include "system/filesystem.hpp"
#include "system/mount.hpp"
#include "system/process.hpp"
#include "system/system_error.hpp"

namespace cowbench {

namespace {

constexpr char kUnfinished[] = ".unfinished-";

// A build that was killed leaves the mounts of the root that it was filling.
// They are ours: nothing else has a reason to be mounted below a stage.
Status unmount_below(const std::string& path) {
  for (const MountEntry& mount : mounts_below(path)) {
    if (Status gone = unmount(mount.target); !gone) return gone;
  }
  return {};
}

// What a user's namespace made belongs to other numbers outside of it, and is
// removed in the like.
Status remove_stage(const std::string& path) {
  if (Status free = unmount_below(path); !free) return free;
  Status removed = remove_tree(path);
  if (removed || geteuid() == 0) return removed;
  Command command;
  command.argv = {"mmdebstrap", "--unshare-helper", "rm", "-rf", path};
  (void)run_checked(command);
  return remove_tree(path);
}

}  // namespace

std::string fingerprint_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::vector<std::string> lines;
  std::error_code error;
  const auto add = [&](const fs::path& file) {
    struct stat facts = {};
    if (stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
    lines.push_back(file.string() + " " + std::to_string(facts.st_size) + " " +
                    std::to_string(facts.st_mtim.tv_sec) + "." +
                    std::to_string(facts.st_mtim.tv_nsec));
  };
  add(path);
  for (fs::recursive_directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    add(entry->path());
  }
  std::sort(lines.begin(), lines.end());
  return content_key(lines);
}

std::string content_key(const std::vector<std::string>& texts) {
  std::uint64_t one = kFnvOffset;
  std::uint64_t two = 0x84222325cbf29ce4U;
  for (const std::string& text : texts) {
    // The length keeps {"ab", "c"} apart from {"a", "bc"}.
    const std::string size = std::to_string(text.size()) + ":";
    one = fnv1a(text, fnv1a(size, one));
    two = fnv1a(size, fnv1a(text, two));
  }
  char hex[33];
  std::snprintf(hex, sizeof hex, "%016llx%016llx",
                static_cast<unsigned long long>(one),
                static_cast<unsigned long long>(two));
  return hex;
}

std::uint64_t disk_bytes(const std::string& path) {
  namespace fs = std::filesystem;
  const auto of = [](const fs::path& file) {
    struct stat facts = {};
    if (lstat(file.c_str(), &facts) != 0) return std::uint64_t{0};
    return static_cast<std::uint64_t>(facts.st_blocks) * 512;
  };
  std::uint64_t bytes = of(path);
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    bytes += of(entry->path());
  }
  return bytes;
}

std::string StageStore::relative(const std::string& stage,
                                 const std::string& key) {
  return "stages/" + stage + "-" + key;
}

std::string StageStore::folder(const std::string& stage,
                               const std::string& key) const {
  return cache_ + "/" + relative(stage, key);
}

std::string StageStore::unfinished(const std::string& stage,
                                   const std::string& key) const {
  return cache_ + "/stages/" + kUnfinished + stage + "-" + key;
}

bool StageStore::has(const std::string& stage, const std::string& key) const {
  return path_exists(folder(stage, key));
}

std::string StageStore::scratch() const {
  return "/var/tmp/cowbench-" + std::to_string(geteuid()) + "-" +
         content_key({cache_}).substr(0, 8);
}

Result<int> StageStore::discard_unfinished() const {
  int count = 0;
  if (geteuid() != 0 && path_exists(scratch())) {
    ++count;
    if (Status done = remove_stage(scratch()); !done) return done.error();
  }
  for (const std::string& name : list_folder(cache_ + "/stages")) {
    if (name.rfind(kUnfinished, 0) != 0) continue;
    ++count;
    if (Status done = remove_stage(cache_ + "/stages/" + name); !done) {
      return done.error();
    }
  }
  return count;
}

Result<std::string> StageStore::begin(const std::string& stage,
                                      const std::string& key) const {
  const std::string path = unfinished(stage, key);
  if (Status gone = remove_stage(path); !gone) return gone.error();
  if (Status made = make_directories(path); !made) return made.error();
  return path;
}

Status StageStore::finish(const std::string& stage,
                          const std::string& key) const {
  const std::string from = unfinished(stage, key);
  if (Status synced = sync_filesystem(from); !synced) return synced;
  const std::string to = folder(stage, key);
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    return system_error("rename to", to, errno);
  }
  return sync_folder(cache_ + "/stages");
}

Status StageStore::discard(const std::string& stage,
                           const std::string& key) const {
  return remove_stage(unfinished(stage, key));
}

}  // namespace cowbench
