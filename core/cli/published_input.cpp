// SPDX-License-Identifier: Apache-2.0
#include "cli/published_input.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

constexpr int kDepth = 3;

bool is_published_document(const std::string& name) {
  return name.starts_with("result-") && name.ends_with(".json");
}

bool holds_published(const fs::path& folder) {
  const auto names = list_folder(folder);
  return std::any_of(names.begin(), names.end(), is_published_document);
}

// Folders of runs below `folder`, itself included; deep enough for a clone of
// the data's repository.
void find_published(const fs::path& folder, int depth,
                    std::vector<std::string>& found) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  std::vector<fs::path> subfolders;
  for (const std::string& name : list_folder(folder)) {
    if (fs::is_directory(folder / name, error)) {
      subfolders.push_back(folder / name);
    }
  }
  if (std::any_of(subfolders.begin(), subfolders.end(), holds_published) ||
      holds_published(folder)) {
    found.push_back(folder);
    return;
  }
  if (depth == 0) return;
  for (const fs::path& subfolder : subfolders) {
    find_published(subfolder, depth - 1, found);
  }
}

}  // namespace

std::vector<std::string> published_folders(const std::string& path) {
  std::vector<std::string> found;
  find_published(path, kDepth, found);
  return found;
}

Result<std::string> read_config(const ConfigLibrary& configs,
                                const std::string& name) {
  for (const fs::path& folder : configs.directories()) {
    if (path_exists(folder / name)) return read_file(folder / name);
  }
  return Error(Category::kUsage, name + " is in no folder of configurations");
}

}  // namespace cowbench
