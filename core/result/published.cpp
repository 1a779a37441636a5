// SPDX-License-Identifier: Apache-2.0
#include "result/published.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <set>
#include <thread>

#include "result/statistics.hpp"
#include "system/file.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

// By key; of two values of one key the later one counts.
void put_in_order(PublishedDocument& document) {
  auto& results = document.results;
  std::stable_sort(
      results.begin(), results.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool again =
        i + 1 < results.size() && results[i + 1].first == results[i].first;
    if (again) continue;
    if (kept != i) results[kept] = std::move(results[i]);
    ++kept;
  }
  results.erase(results.begin() + static_cast<std::ptrdiff_t>(kept),
                results.end());
}

// Takes a document's parts from the parser as they come. Other members of the
// document than those known are skipped with all that is in them.
class DocumentHandler
    : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, DocumentHandler> {
 public:
  PublishedDocument document;
  std::string filesystem;
  std::string layout;
  bool has_results = false;
  std::string fault;

  bool Null() { return store({}); }
  bool Bool(bool flag) {
    PublishedValue value;
    value.kind = PublishedValue::Kind::kFlag;
    value.flag = flag;
    return store(std::move(value));
  }
  bool Int(int number) { return take(number); }
  bool Uint(unsigned number) { return take(number); }
  bool Int64(std::int64_t number) { return take(static_cast<double>(number)); }
  bool Uint64(std::uint64_t number) {
    return take(static_cast<double>(number));
  }
  bool Double(double number) { return take(number); }

  bool String(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    if (depth_ == 1) {
      if (std::string* field = text_field()) field->assign(text, length);
    }
    return true;
  }

  bool StartObject() {
    if (++depth_ == 2 && key_ == "results") has_results = true;
    if (depth_ == 2) section_ = key_;
    return true;
  }
  bool EndObject(rapidjson::SizeType /*members*/) {
    if (--depth_ == 1) section_.clear();
    return true;
  }
  bool StartArray() {
    ++depth_;
    if (depth_ == 3 && section_ == "results") {
      series_ = std::make_shared<std::vector<float>>();
    }
    return true;
  }
  bool EndArray(rapidjson::SizeType /*elements*/) {
    --depth_;
    if (series_ == nullptr) return true;
    PublishedValue value;
    value.kind = PublishedValue::Kind::kArray;
    value.series = std::move(series_);
    series_ = nullptr;
    return store(std::move(value));
  }
  bool Key(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    key_.assign(text, length);
    return true;
  }

 private:
  std::string* text_field() {
    if (key_ == "fs") return &filesystem;
    if (key_ == "layout") return &layout;
    if (key_ == "kernel") return &document.kernel;
    if (key_ == "version") return &document.version;
    if (key_ == "date") return &document.date;
    if (key_ == "devices") return &document.devices;
    return nullptr;
  }

  bool take(double number) {
    if (series_ != nullptr) {
      series_->push_back(static_cast<float>(number));
      return true;
    }
    PublishedValue value;
    value.kind = PublishedValue::Kind::kNumber;
    value.number = number;
    return store(std::move(value));
  }

  bool store(PublishedValue value) {
    const bool is_number = value.kind == PublishedValue::Kind::kNumber;
    const auto whole = static_cast<std::uint64_t>(std::max(0.0, value.number));
    if (depth_ == 1 && is_number) {
      if (key_ == "schema_version") document.schema_version = whole;
      if (key_ == "ndev") document.members = whole;
      if (key_ == "device_size_bytes") document.device_bytes = whole;
    } else if (depth_ == 2 && section_ == "calibration" && is_number) {
      document.calibration[key_] = value.number;
    } else if (depth_ == 2 && section_ == "results") {
      document.results.emplace_back(document.keys->keep(key_),
                                    std::move(value));
    }
    return true;
  }

  int depth_ = 0;
  std::string key_;
  std::string section_;
  std::shared_ptr<std::vector<float>> series_;
};

// Names in the order of text, as the project takes them.
std::vector<fs::path> sorted_entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_directory(error) == folders) entries.push_back(entry->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_document(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("result-") && name.ends_with(".json");
}

void finish_run(PublishedRun& run) {
  std::set<std::string> kernels;
  for (const PublishedDocument& document : run.documents) {
    run.date = std::max(run.date, document.date);
    kernels.insert(document.kernel);
  }
  for (const std::string& kernel : kernels) {
    run.kernels += (run.kernels.empty() ? "" : " / ") + kernel;
  }
}

struct LoadedRun {
  PublishedRun run;
  std::vector<UnreadableDocument> unreadable;
};

LoadedRun load_run(const fs::path& folder, const std::string& name,
                   const std::shared_ptr<PublishedKeys>& keys) {
  LoadedRun loaded;
  std::map<std::string, PublishedDocument> documents;
  for (const fs::path& path : sorted_entries(folder, false)) {
    if (!is_document(path)) continue;
    Result<std::string> text = read_file(path);
    if (!text) {
      loaded.unreadable.push_back({path, text.error().message()});
      continue;
    }
    PublishedParse parse = parse_published(*std::move(text), path, keys);
    if (!parse.document) {
      loaded.unreadable.push_back({path, parse.reason});
      continue;
    }
    const auto [place, fresh] = documents.try_emplace(
        parse.document->configuration, PublishedDocument());
    if (!fresh) {
      loaded.unreadable.push_back(
          {place->second.path, "a second document of " + place->first +
                                   " in one run; " + path.string() +
                                   " counts"});
    }
    place->second = std::move(*parse.document);
  }
  loaded.run.name = name;
  for (auto& [id, document] : documents) {
    loaded.run.documents.push_back(std::move(document));
  }
  finish_run(loaded.run);
  return loaded;
}

// Most of the time is the parser's, which several processors share well.
std::vector<LoadedRun> load_runs(const std::vector<fs::path>& folders) {
  constexpr std::size_t kMostThreads = 4;
  std::vector<LoadedRun> loaded(folders.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    const auto keys = std::make_shared<PublishedKeys>();
    for (std::size_t i = next++; i < folders.size(); i = next++) {
      loaded[i] = load_run(folders[i], folders[i].filename().string(), keys);
    }
  };
  const std::size_t helpers =
      std::min({kMostThreads, folders.size(),
                std::size_t{std::thread::hardware_concurrency()}});
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
  threads.clear();  // joins
  return loaded;
}

// The median of every number that the day's documents of one configuration
// hold.
PublishedDocument day_document(
    const std::vector<const PublishedDocument*>& documents,
    const std::shared_ptr<PublishedKeys>& keys) {
  PublishedDocument point;
  point.configuration = documents.front()->configuration;
  point.keys = keys;
  std::map<std::string_view, std::vector<double>> numbers;
  for (const PublishedDocument* document : documents) {
    for (const auto& [key, value] : document->results) {
      if (value.kind == PublishedValue::Kind::kNumber) {
        numbers[key].push_back(value.number);
      }
    }
  }
  for (const auto& [key, values] : numbers) {
    const auto middle = median(values);
    if (!middle) continue;
    PublishedValue value;
    value.kind = PublishedValue::Kind::kNumber;
    value.number = *middle;
    point.results.emplace_back(keys->keep(key), std::move(value));
  }
  return point;
}

PublishedRun day_point(const std::string& day,
                       const std::vector<const PublishedRun*>& runs) {
  std::map<std::string, std::vector<const PublishedDocument*>> documents;
  for (const PublishedRun* run : runs) {
    for (const PublishedDocument& document : run->documents) {
      documents[document.configuration].push_back(&document);
    }
  }
  PublishedRun point;
  point.name = "day-" + day;
  point.date = runs.back()->date;
  point.kernels = runs.back()->kernels;
  point.is_day = true;
  const auto keys = std::make_shared<PublishedKeys>();
  for (const auto& [id, all] : documents) {
    point.documents.push_back(day_document(all, keys));
  }
  return point;
}

}  // namespace

std::string_view PublishedKeys::keep(std::string_view key) {
  const auto found = keys_.find(key);
  return found != keys_.end() ? *found : *keys_.emplace(key).first;
}

std::optional<double> PublishedDocument::number(std::string_view key) const {
  const PublishedValue* found = value(key);
  if (found == nullptr || found->kind != PublishedValue::Kind::kNumber) {
    return std::nullopt;
  }
  return found->number;
}

const PublishedValue* PublishedDocument::value(std::string_view key) const {
  const auto found = std::lower_bound(
      results.begin(), results.end(), key,
      [](const auto& one, std::string_view name) { return one.first < name; });
  return found != results.end() && found->first == key ? &found->second
                                                       : nullptr;
}

const PublishedDocument* PublishedRun::find(
    std::string_view configuration) const {
  const auto found =
      std::lower_bound(documents.begin(), documents.end(), configuration,
                       [](const PublishedDocument& one, std::string_view id) {
                         return one.configuration < id;
                       });
  return found != documents.end() && found->configuration == configuration
             ? &*found
             : nullptr;
}

PublishedParse parse_published(std::string text, const std::string& path,
                               std::shared_ptr<PublishedKeys> keys) {
  if (keys == nullptr) keys = std::make_shared<PublishedKeys>();
  constexpr std::size_t kUsualKeys = 64;
  DocumentHandler handler;
  handler.document.keys = std::move(keys);
  handler.document.results.reserve(kUsualKeys);
  rapidjson::Reader reader;
  rapidjson::InsituStringStream stream(text.data());
  const rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseInsituFlag |
                   rapidjson::kParseFullPrecisionFlag>(stream, handler);
  if (result.IsError()) {
    return {std::nullopt, std::string("not JSON: ") +
                              rapidjson::GetParseError_En(result.Code()) +
                              " (at byte " + std::to_string(result.Offset()) +
                              ")"};
  }
  if (handler.filesystem.empty() || handler.layout.empty()) {
    return {std::nullopt,
            "not such a document: \"fs\" or \"layout\" is missing"};
  }
  if (!handler.has_results) {
    return {std::nullopt, "not such a document: \"results\" is missing"};
  }
  put_in_order(handler.document);
  handler.document.configuration = handler.filesystem + "/" + handler.layout;
  handler.document.path = path;
  return {std::move(handler.document), {}};
}

PublishedHistory load_published(const std::string& folder) {
  PublishedHistory history;
  const std::vector<fs::path> runs = sorted_entries(folder, true);
  std::vector<LoadedRun> loaded = load_runs(runs);
  if (runs.empty()) {
    loaded.push_back(
        load_run(folder, "run", std::make_shared<PublishedKeys>()));
  }
  for (LoadedRun& one : loaded) {
    std::move(one.unreadable.begin(), one.unreadable.end(),
              std::back_inserter(history.unreadable));
    if (!one.run.documents.empty()) {
      history.runs.push_back(std::move(one.run));
    }
  }
  std::stable_sort(history.runs.begin(), history.runs.end(),
                   [](const PublishedRun& a, const PublishedRun& b) {
                     return a.date < b.date;
                   });
  return history;
}

std::vector<PublishedRun> compress_history(std::vector<PublishedRun> runs,
                                           std::size_t window) {
  if (runs.size() <= window) return runs;
  constexpr std::size_t kDayLength = 10;  // "2026-07-24"
  const std::size_t old = runs.size() - window;
  std::vector<PublishedRun> points;
  for (std::size_t first = 0; first < old;) {
    const std::string day = runs[first].date.substr(0, kDayLength);
    std::vector<const PublishedRun*> same;
    while (first < old && runs[first].date.substr(0, kDayLength) == day) {
      same.push_back(&runs[first++]);
    }
    points.push_back(day_point(day, same));
  }
  for (std::size_t i = old; i < runs.size(); ++i) {
    points.push_back(std::move(runs[i]));
  }
  return points;
}

}  // namespace cowbench
