// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cowbench::workloads {

// What a source tree looks like. Equal plans give equal trees, byte for byte.
struct TreePlan {
  std::uint32_t files = 20000;
  std::uint32_t directories = 200;
  std::uint64_t seed = 42;
  // Each file's size is drawn from these with equal chances.
  std::vector<std::uint32_t> sizes_bytes = {1024, 2048, 4096, 8192};
};

// What stands under a folder, itself not counted.
struct TreeCounts {
  std::uint64_t files = 0;
  std::uint64_t directories = 0;
  std::uint64_t bytes = 0;  // sum of the files' sizes

  bool operator==(const TreeCounts& other) const {
    return files == other.files && directories == other.directories &&
           bytes == other.bytes;
  }
  bool operator!=(const TreeCounts& other) const { return !(*this == other); }
};

// The last call of a timed span: normally syncfs of the filesystem under
// test. Whatever it throws goes through.
using Finish = std::function<void()>;

// A tree prepared in memory: names, sizes and contents are all there before a
// clock starts. Contents are incompressible slices of one pooled buffer, placed
// so that no two of the first 65,536 files share a block of 4 KiB (fewer when
// files may be larger than 8 KiB).
// Const functions may be called by several threads.
class SourceTree {
 public:
  // Throws std::invalid_argument for a plan without directories or sizes.
  explicit SourceTree(const TreePlan& plan);

  const TreeCounts& counts() const { return counts_; }

  // Creates the tree as `root`, which must not exist (its parent must): for
  // each directory mkdirat, and for each of its files openat, write, close;
  // no file is flushed for itself. Directories are dealt out to `workers`
  // threads in turn; the calling thread is the first of them, the others wait
  // at a gate before the clock starts. The span ends when all workers are
  // done and `finish` has returned.
  // Returns the span in ns; require_tree() checks the outcome. Throws
  // std::system_error when a call fails; what was begun stays then.
  std::uint64_t create(const std::string& root, unsigned workers,
                       const Finish& finish) const;

 private:
  struct File {
    std::string name;
    std::uint32_t size_bytes;
    std::uint32_t content_offset;
  };
  struct Directory {
    std::string name;
    std::vector<File> files;
  };

  void create_share(int root, const std::string& root_path, unsigned first,
                    unsigned step) const;
  void create_directory(int root, const std::string& root_path,
                        const Directory& directory) const;

  TreeCounts counts_;
  std::vector<Directory> directories_;
  std::vector<char> content_;
};

// Counts what is under `root`. Throws std::system_error.
TreeCounts count_tree(const std::string& root);

// Counts what is under `root`, outside any span, and throws
// std::runtime_error with both counts unless it is `expected`.
void require_tree(const std::string& root, const TreeCounts& expected);

// Copies the tree `source` to `destination`, which must not exist: directory
// by directory in the order in which each lists its entries. The span starts
// with opening the source and ends when `finish` has returned.
// Returns the span in ns; require_tree() checks the outcome. Throws
// std::runtime_error when the source holds anything but directories and
// regular files, std::system_error when a call fails.
std::uint64_t copy_tree(const std::string& source,
                        const std::string& destination, const Finish& finish);

// Removes `root` and everything under it. `expected` is what it holds: the
// files and directories removed are compared with it after the span.
// Returns the span in ns, `finish` included. Throws std::runtime_error when
// the counts differ, std::system_error when a call fails.
std::uint64_t remove_tree(const std::string& root, const TreeCounts& expected,
                          const Finish& finish);

}  // namespace cowbench::workloads
