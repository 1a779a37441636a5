// SPDX-License-Identifier: Apache-2.0
#include "config/library.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>

#include "base/text.hpp"
#include "config/located_json.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

// Far above any real file; keeps a mistaken path from filling the memory.
constexpr std::uintmax_t kMaximumBytes = 1 << 20;

const char* word_for(ConfigKind kind) {
  switch (kind) {
    case ConfigKind::kStack:
      return "stack";
    case ConfigKind::kProfile:
      return "profile";
    case ConfigKind::kSuite:
      return "suite";
    case ConfigKind::kGuest:
      break;
  }
  return "guest";
}

std::string folder_of(ConfigKind kind) {
  return std::string(word_for(kind)) + "s";
}

Problem problem_with(const fs::path& path, std::string message) {
  Problem problem;
  problem.file = path.string();
  problem.message = std::move(message);
  return problem;
}

std::variant<ConfigFile, Problem> read(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return problem_with(path, "there is no such file");
  }
  if (status.type() != fs::file_type::regular) {
    return problem_with(path, error ? "cannot be looked at: " + error.message()
                                    : "is not a regular file");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > kMaximumBytes) {
    return problem_with(path, "has " + std::to_string(size) +
                                  " bytes; a configuration has at most " +
                                  std::to_string(kMaximumBytes));
  }
  std::ifstream stream(path, std::ios::binary);
  ConfigFile file;
  file.name = path.stem().string();
  file.path = path;
  file.text.assign(std::istreambuf_iterator<char>(stream), {});
  if (error || !stream.is_open() || stream.bad()) {
    return problem_with(path, "cannot be read; check its permissions");
  }
  return file;
}

// Names and files of a kind, those of earlier directories first in line.
std::map<std::string, fs::path> files_of(
    const std::vector<fs::path>& directories, ConfigKind kind) {
  std::map<std::string, fs::path> files;
  for (const fs::path& directory : directories) {
    std::error_code error;
    for (fs::directory_iterator entry(directory / folder_of(kind), error), end;
         !error && entry != end; entry.increment(error)) {
      if (entry->path().extension() == ".json") {
        files.emplace(entry->path().stem().string(), entry->path());
      }
    }
  }
  return files;
}

std::string published_id(const ConfigFile& file) {
  const LocatedJson json = parse_located_json(file.text, file.path.string());
  const JsonNode* id = json.root.find("published");
  return id != nullptr && id->kind == JsonNode::Kind::kText ? id->text : "";
}

}  // namespace

std::vector<ConfigFile> ConfigLibrary::list(ConfigKind kind) const {
  std::vector<ConfigFile> found;
  for (const auto& [name, path] : files_of(directories_, kind)) {
    auto file = read(path);
    if (file.index() == 0) found.push_back(std::get<0>(std::move(file)));
  }
  return found;
}

std::variant<ConfigFile, Problem> ConfigLibrary::find(
    ConfigKind kind, const std::string& wanted) const {
  if (fs::path(wanted).extension() == ".json") return read(wanted);

  const auto files = files_of(directories_, kind);
  auto match = files.find(wanted);
  std::vector<std::string> known;
  for (const auto& [name, path] : files) known.push_back(name);
  if (match == files.end() && kind == ConfigKind::kStack) {
    for (const ConfigFile& file : list(kind)) {
      const std::string id = published_id(file);
      if (!id.empty() && id == wanted) return file;
      if (!id.empty()) known.push_back(id);
    }
    std::string dashed = wanted;
    std::replace(dashed.begin(), dashed.end(), '/', '-');
    match = files.find(dashed);
  }
  if (match != files.end()) return read(match->second);

  std::vector<std::string> places;
  for (const fs::path& directory : directories_) {
    const fs::path folder = directory / folder_of(kind);
    std::error_code error;
    places.push_back(folder.string() + (fs::is_directory(folder, error)
                                            ? ""
                                            : " (no such directory)"));
  }
  Problem problem;
  problem.message = std::string("no ") + word_for(kind) + " " +
                    in_quotes(wanted) + did_you_mean(wanted, known) +
                    "; looked in " +
                    (places.empty() ? "no directory" : join(places, ", ")) +
                    "; a path must end in \".json\"";
  return problem;
}

std::vector<std::filesystem::path> default_config_search(
    std::vector<std::filesystem::path> given) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    given.push_back((program.parent_path() / ".." / COWBENCH_CONFIG_SUBDIR)
                        .lexically_normal());
  }
  return given;
}

}  // namespace cowbench
