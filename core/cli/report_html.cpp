// SPDX-License-Identifier: Apache-2.0
#include "cli/report_html.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/published_input.hpp"
#include "report/page_output.hpp"
#include "result/store.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

// "runs" says nothing; its parent's name may.
std::string source_name(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const std::string name = path.filename();
  const std::string parent = path.parent_path().filename();
  return name == "runs" && !parent.empty() ? parent : name;
}

Status add_published_folders(const std::vector<std::string>& folders,
                             const ConfigLibrary& configs, Page& page) {
  if (folders.empty()) return {};
  const auto text = read_config(configs, "metrics/published.json");
  if (!text) return text.error();
  const auto metrics = parse_published_metrics(*text);
  if (!metrics) return metrics.error();
  const auto model_text = read_config(configs, "score/published-v1.json");
  if (!model_text) return model_text.error();
  const auto model = parse_score_model(*model_text);
  if (!model) return model.error();
  for (const std::string& folder : folders) {
    add_published(load_published(folder), source_name(folder), *metrics,
                  &*model, page);
  }
  return {};
}

void add_own(const std::vector<std::string>& paths, Page& page) {
  if (paths.empty()) return;
  const ResultSet set = load_results(paths);
  for (const UnreadableResult& bad : set.unreadable) {
    page.warnings.push_back(bad.path + ": " + bad.reason);
    ++page.unreadable;
  }
  std::vector<ResultDocument> documents;
  for (const StoredResult& stored : set.results) {
    documents.push_back(stored.document);
  }
  add_results(documents, page);
}

}  // namespace

int report_html(const std::vector<std::string>& paths, const std::string& file,
                const ConfigLibrary& configs) {
  std::vector<std::string> published;
  std::vector<std::string> own;
  for (const std::string& path : paths) {
    const auto found = published_folders(path);
    published.insert(published.end(), found.begin(), found.end());
    if (found.empty()) own.push_back(path);
  }
  Page page;
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(source_name(path));
  page.title = "cowbench: " + join(names, ", ");
  const Status added = add_published_folders(published, configs, page);
  if (!added) return fail(added.error());
  add_own(own, page);
  for (const std::string& warning : page.warnings) complain(warning);
  if (page.entries.empty()) {
    return fail({"report: no result below " + join(paths, ", ")}, kExitUsage);
  }
  const std::string html = page_html(page);
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << html;
  stream.close();
  if (!stream) {
    return fail({"report: write " + file + ": " + std::strerror(errno) +
                 "; name another file with --html"},
                kExitEnvironment);
  }
  complain(file + ": " + std::to_string(html.size()) + " bytes" +
           (page_has_scripts()
                ? ""
                : ", tables only: this program was built without Node.js"));
  return page.unreadable == 0 ? kExitOk : kExitJobFailed;
}

}  // namespace cowbench
