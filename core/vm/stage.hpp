// SPDX-License-Identifier: Apache-2.0
// Folders of a cache that are named by what was put into them. One is made
// under another name and renamed when it is whole, so that one that is there
// can be used, and a build that ended early goes on where it stopped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// 32 hexadecimal digits that change with any of the texts. For naming, not for
// defence.
std::string content_key(const std::vector<std::string>& texts);

// The bytes that a file, or a folder with everything in it, takes up.
std::uint64_t disk_bytes(const std::string& path);

// Changes with the name, size and time of any file at or below `path`: cheap,
// where reading gigabytes is not.
std::string fingerprint_of(const std::string& path);

class StageStore {
 public:
  // Stages lie in `cache`/stages.
  explicit StageStore(std::string cache) : cache_(std::move(cache)) {}

  const std::string& cache() const { return cache_; }
  // "stages/<stage>-<key>", below the cache.
  static std::string relative(const std::string& stage, const std::string& key);
  std::string folder(const std::string& stage, const std::string& key) const;
  bool has(const std::string& stage, const std::string& key) const;

  // Where systems that are thrown away grow when this is not root: a user's
  // namespace needs a folder that strangers may enter, which a home is not.
  std::string scratch() const;

  // Removes what builds that ended early have left, and answers how many such
  // stages there were. Only while no other build runs.
  Result<int> discard_unfinished() const;
  // An empty folder to make the stage in.
  Result<std::string> begin(const std::string& stage,
                            const std::string& key) const;
  // Makes it durable and gives it its name.
  Status finish(const std::string& stage, const std::string& key) const;
  // Throws away what begin() gave.
  Status discard(const std::string& stage, const std::string& key) const;

 private:
  std::string unfinished(const std::string& stage,
                         const std::string& key) const;

  std::string cache_;
};

}  // namespace cowbench
