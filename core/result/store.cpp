// SPDX-License-Identifier: Apache-2.0
#include "result/store.hpp"

#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "result/fold.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEvents = "/events.jsonl";
constexpr std::string_view kResult = "/result.json";
// Results directory, run, job: nothing of ours lies deeper.
constexpr int kDeepest = 3;

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_older(const std::string& path, const std::string& than) {
  std::error_code first;
  std::error_code second;
  const auto left = fs::last_write_time(path, first);
  const auto right = fs::last_write_time(than, second);
  return !first && !second && left < right;
}

Result<ResultDocument> load_file(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  if (path.ends_with(".jsonl")) {
    text = fold_events(*text);
    if (!text) return text.error();
  }
  return parse_document(*text);
}

class Loader {
 public:
  void add(const std::string& path) {
    const std::size_t before = seen_.size() + set_.unreadable.size();
    if (is_file(path)) {
      load(path);
    } else if (is_folder(path)) {
      walk(path, 0);
    } else {
      set_.unreadable.push_back({path, "no such file or folder"});
    }
    if (seen_.size() + set_.unreadable.size() == before && !repeated_) {
      set_.unreadable.push_back({path, "no result lies here or below"});
    }
    repeated_ = false;
  }

  ResultSet take() { return std::move(set_); }

 private:
  void walk(const std::string& folder, int depth) {
    std::string base = folder;
    while (base.size() > 1 && base.back() == '/') base.pop_back();
    const std::string events = base + std::string(kEvents);
    const std::string result = base + std::string(kResult);
    if (is_file(result) && !(is_file(events) && is_older(result, events))) {
      load(result);
    } else if (is_file(events)) {
      load(events);
    } else if (depth < kDeepest) {
      for (const std::string& name : list_folder(base)) {
        const std::string below = base + "/" + name;
        if (is_folder(below)) walk(below, depth + 1);
      }
    }
  }

  void load(const std::string& path) {
    // Both files of a job are the same result.
    std::string identity = canonical_path(path);
    if (identity.ends_with(kEvents)) {
      identity.replace(identity.size() - kEvents.size(), kEvents.size(),
                       kResult);
    }
    if (!seen_.insert(identity).second) {
      repeated_ = true;
      return;
    }
    Result<ResultDocument> document = load_file(path);
    if (document) {
      set_.results.push_back({path, std::move(*document)});
    } else {
      set_.unreadable.push_back({path, document.error().message()});
    }
  }

  ResultSet set_;
  std::set<std::string> seen_;
  bool repeated_ = false;
};

}  // namespace

ResultSet load_results(const std::vector<std::string>& paths) {
  Loader loader;
  for (const std::string& path : paths) loader.add(path);
  return loader.take();
}

}  // namespace cowbench
