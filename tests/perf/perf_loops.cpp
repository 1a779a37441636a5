// SPDX-License-Identifier: Apache-2.0
// How much of a time is the tool's: our timed loops against bare system-call
// loops in the same process on a memory filesystem. Exits with 1 when a loop
// of ours takes more than 1.05 times the bare one, 2 when it can't measure.
#include <stdlib.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bare_loops.hpp"
#include "workloads/clock.hpp"
#include "workloads/directory.hpp"
#include "workloads/quantile.hpp"
#include "workloads/random.hpp"
#include "workloads/tree.hpp"

namespace workloads = cowbench::workloads;
using workloads::monotonic_ns;

namespace {

constexpr int kPairs = 9;
constexpr double kLimit = 1.05;
constexpr std::uint64_t kFiles = 100000;

enum Side { kOurs, kBare };

// Times of one loop, a pair at a time.
struct Loop {
  const char* name;
  std::vector<double> ms[2];
};

enum { kTreeCreate, kCreate, kEnumerate, kStat, kRemove };

class Bench {
 public:
  explicit Bench(std::string folder)
      : folder_(std::move(folder)),
        directory_(folder_ + "/ours", kFiles),
        tree_(workloads::TreePlan()),
        entries_(64 * kFiles) {
    prepare_bare();
  }

  void run() {
    for (int pair = -1; pair < kPairs; ++pair) {
      const Side first = pair % 2 == 0 ? kOurs : kBare;
      const Side second = first == kOurs ? kBare : kOurs;
      const bool counts = pair >= 0;  // the very first pair only warms up
      for (const Side side : {first, second}) tree(side, counts);
      for (const Side side : {first, second}) large(side, counts);
    }
  }

  // The table, and whether every ratio is within the limit.
  bool report() const {
    bool within = true;
    std::printf("%-24s %10s %10s %7s\n", "loop", "ours ms", "bare ms", "ratio");
    for (const Loop& loop : loops_) {
      std::vector<double> ratios;
      for (int i = 0; i < kPairs; ++i)
        ratios.push_back(loop.ms[kOurs][i] / loop.ms[kBare][i]);
      const double ratio = *workloads::median(ratios);
      std::printf("%-24s %10.2f %10.2f %7.3f%s\n", loop.name,
                  *workloads::median(loop.ms[kOurs]),
                  *workloads::median(loop.ms[kBare]), ratio,
                  ratio > kLimit ? "  above the limit" : "");
      within = within && ratio <= kLimit;
    }
    std::printf("medians of %d alternating pairs; limit of a ratio %.2f\n",
                kPairs, kLimit);
    return within;
  }

 private:
  // The bare loop gets the same names and sizes, so that both do the same.
  void prepare_bare() {
    content_.resize((std::size_t{4} << 20));
    workloads::Random(1).fill(content_.data(), content_.size());
    const std::string probe = folder_ + "/probe";
    tree_.create(probe, 1, [] {});
    namespace fs = std::filesystem;
    for (const auto& entry : fs::directory_iterator(probe)) {
      bare::Directory directory{entry.path().filename(), {}};
      for (const auto& file : fs::directory_iterator(entry))
        directory.files.push_back({file.path().filename(), file.file_size()});
      std::sort(directory.files.begin(), directory.files.end(),
                [](const auto& a, const auto& b) { return a.name < b.name; });
      bare_tree_.push_back(std::move(directory));
    }
    std::sort(bare_tree_.begin(), bare_tree_.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    fs::remove_all(probe);
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      char name[16];
      std::snprintf(name, sizeof name, "f%05u", static_cast<unsigned>(i));
      names_.push_back(name);
    }
  }

  void timed(int loop, Side side, bool counts,
             const std::function<void()>& work) {
    const std::uint64_t started = monotonic_ns();
    work();
    const std::uint64_t ended = monotonic_ns();
    if (counts)
      loops_[loop].ms[side].push_back(static_cast<double>(ended - started) /
                                      1e6);
  }

  void tree(Side side, bool counts) {
    const std::string root = folder_ + "/tree";
    if (side == kOurs) {
      // create() keeps its own clock, since it counts the tree afterwards.
      const double ms = static_cast<double>(tree_.create(root, 1, [] {})) / 1e6;
      if (counts) loops_[kTreeCreate].ms[kOurs].push_back(ms);
    } else {
      std::filesystem::create_directory(root);
      timed(kTreeCreate, side, counts, [&] {
        bare::create_tree(root.c_str(), bare_tree_, content_.data());
      });
    }
    std::filesystem::remove_all(root);
  }

  void large(Side side, bool counts) {
    const std::string path = folder_ + "/bare";
    const char* bare_path = path.c_str();
    std::uint64_t found[3] = {};
    const auto either = [&](int loop, const std::function<void()>& ours,
                            const std::function<void()>& bare) {
      timed(loop, side, counts, side == kOurs ? ours : bare);
    };
    either(
        kCreate, [&] { directory_.create(); },
        [&] { bare::create_files(bare_path, names_); });
    constexpr std::size_t kBatch = 256 << 10;
    char* buffer = entries_.data();
    either(
        kEnumerate, [&] { found[0] = directory_.enumerate(); },
        [&] { found[0] = bare::enumerate(bare_path, buffer, kBatch); });
    either(
        kStat, [&] { found[1] = directory_.enumerate_and_stat(); },
        [&] {
          found[1] = bare::enumerate_and_stat(bare_path, buffer, kBatch);
        });
    either(
        kRemove, [&] { found[2] = directory_.remove(); },
        [&] {
          found[2] = bare::remove_files(bare_path, buffer, entries_.size());
        });
    for (const auto count : found)
      if (count != kFiles) throw std::runtime_error("a loop lost files");
  }

  std::string folder_;
  workloads::LargeDirectory directory_;
  workloads::SourceTree tree_;
  std::vector<char> entries_;
  std::vector<char> content_;
  std::vector<bare::Directory> bare_tree_;
  std::vector<std::string> names_;
  Loop loops_[5] = {{"tree create", {}},
                    {"large directory create", {}},
                    {"enumerate", {}},
                    {"enumerate + stat", {}},
                    {"delete", {}}};
};

// A folder of our own on the given memory filesystem, removed at the end.
class Folder {
 public:
  explicit Folder(const std::string& parent)
      : path_(parent + "/cowbench-perf-XXXXXX") {
    struct statfs status {};
    constexpr long kTmpfs = 0x01021994;
    if (::statfs(parent.c_str(), &status) != 0 || status.f_type != kTmpfs)
      throw std::runtime_error(parent + " is no tmpfs; give one by --dir");
    if (::mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error("cannot make a folder in " + parent);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string parent = "/dev/shm";
  if (argc == 3 && std::strcmp(argv[1], "--dir") == 0) {
    parent = argv[2];
  } else if (argc != 1) {
    std::fprintf(stderr, "usage: %s [--dir TMPFS]\n", argv[0]);
    return 2;
  }
  try {
    const Folder folder(parent);
    Bench bench(folder.path());
    bench.run();
    return bench.report() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "perf: %s\n", error.what());
    return 2;
  }
}
