// SPDX-License-Identifier: Apache-2.0
#include "result/selection.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "result/store.hpp"

namespace cowbench {

namespace {

struct Kind {
  const char* name;
  std::string (*value)(const ResultDocument&);
  bool (*matches)(const std::string& value, const std::string& word);
};

bool equal(const std::string& value, const std::string& word) {
  return value == word;
}

const std::array<Kind, 4>& kinds() {
  static const std::array<Kind, 4> kAll = {{
      {"stack", [](const ResultDocument& one) { return one.job.stack; },
       [](const std::string& value, const std::string& word) {
         std::string dashed = word;
         std::replace(dashed.begin(), dashed.end(), '/', '-');
         return value == word || value == dashed;
       }},
      {"run", [](const ResultDocument& one) { return one.run.id; },
       [](const std::string& value, const std::string& word) {
         return value.rfind(word, 0) == 0;
       }},
      {"kernel",
       [](const ResultDocument& one) {
         return string_at(*one.environment, "kernel");
       },
       equal},
      {"label", [](const ResultDocument& one) { return one.run.label; }, equal},
  }};
  return kAll;
}

Error unreadable(const std::string& word, const ResultSet& set) {
  std::vector<std::string> reasons;
  for (const UnreadableResult& bad : set.unreadable) {
    reasons.push_back(bad.path + ": " + bad.reason);
  }
  return Error(Category::kUsage, word + ": " + join(reasons, "; "));
}

Result<Selection> of_path(const std::string& path) {
  ResultSet set = load_results({path});
  if (!set.unreadable.empty()) return unreadable(path, set);
  if (set.results.empty()) {
    return Error(Category::kUsage, path + ": there is no result below it");
  }
  Selection selection{path, {}};
  for (StoredResult& stored : set.results) {
    selection.documents.push_back(std::move(stored.document));
  }
  return selection;
}

// What there is to choose from.
std::string known_names(const ResultSet& set) {
  std::vector<std::string> parts;
  for (const Kind& kind : kinds()) {
    std::set<std::string> values;
    for (const StoredResult& stored : set.results) {
      values.insert(kind.value(stored.document));
    }
    values.erase("");
    if (values.empty()) continue;
    parts.push_back(std::string(kind.name) + " " +
                    join({values.begin(), values.end()}, " | "));
  }
  return join(parts, "; ");
}

Result<Selection> of_store(const std::string& word, const std::string& wanted,
                           const std::string& value, const std::string& store) {
  ResultSet set = load_results({store});
  if (!set.unreadable.empty()) return unreadable(store, set);
  std::vector<Selection> found;
  for (const Kind& kind : kinds()) {
    if (!wanted.empty() && wanted != kind.name) continue;
    Selection selection{std::string(kind.name) + " " + value + " in " + store,
                        {}};
    for (const StoredResult& stored : set.results) {
      const std::string has = kind.value(stored.document);
      if (!has.empty() && kind.matches(has, value)) {
        selection.documents.push_back(stored.document);
      }
    }
    if (!selection.documents.empty()) found.push_back(std::move(selection));
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    const std::string known = known_names(set);
    return Error(Category::kUsage,
                 word + ": no such path, and nothing of that name in " + store +
                     (known.empty() ? ", which has no results"
                                    : "; there is: " + known));
  }
  std::vector<std::string> names;
  for (const Selection& one : found) names.push_back(one.name);
  return Error(Category::kUsage, word + " can be " + join(names, " or ") +
                                     "; say which, as in stack=" + value);
}

}  // namespace

Result<Selection> select_results(const std::string& word,
                                 const std::string& store) {
  const std::size_t equals = word.find('=');
  const std::string before =
      equals == std::string::npos ? "" : word.substr(0, equals);
  if (before == "path") return of_path(word.substr(equals + 1));
  const bool named =
      std::any_of(kinds().begin(), kinds().end(),
                  [&](const Kind& kind) { return before == kind.name; });
  if (named) return of_store(word, before, word.substr(equals + 1), store);
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return of_path(word);
  return of_store(word, "", word, store);
}

}  // namespace cowbench
