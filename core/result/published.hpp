// SPDX-License-Identifier: Apache-2.0
// Published result documents of the modern-fs-benchmark project, as they are:
// nothing is converted, nothing is judged. Its format has changed without a
// version more than once, so every key is taken as it comes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cowbench {

// What stands behind a key of "results".
struct PublishedValue {
  enum class Kind : std::uint8_t { kNull, kNumber, kFlag, kArray };
  Kind kind = Kind::kNull;
  bool flag = false;    // kFlag
  double number = 0.0;  // kNumber
  // kArray; 24 bits tell these values apart.
  std::shared_ptr<const std::vector<float>> series;
};

// Thousands of documents share some sixty keys: each stands once in memory.
class PublishedKeys {
 public:
  // Lives as long as this.
  std::string_view keep(std::string_view key);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> keys_;
};

struct PublishedDocument {
  std::string path;
  std::string configuration;  // "<fs>/<layout>", the id
  std::string kernel;
  std::string version;  // of the filesystem's tools
  std::string date;     // as written: ISO 8601, UTC
  std::string devices;  // "loop" or a word for real ones
  std::uint64_t schema_version = 1;
  std::optional<std::uint64_t> members;
  std::optional<std::uint64_t> device_bytes;
  std::map<std::string, double> calibration;
  // In the order of the keys, which are texts of `keys`.
  std::vector<std::pair<std::string_view, PublishedValue>> results;
  std::shared_ptr<PublishedKeys> keys;

  // The number behind a key; nothing where there is none.
  std::optional<double> number(std::string_view key) const;
  const PublishedValue* value(std::string_view key) const;
};

// A folder of documents: what the project calls a run.
struct PublishedRun {
  std::string name;
  std::string date;                          // the latest of its documents
  std::string kernels;                       // each once, joined with " / "
  std::vector<PublishedDocument> documents;  // by configuration
  bool is_day = false;                       // medians of a day's runs

  const PublishedDocument* find(std::string_view configuration) const;
};

struct UnreadableDocument {
  std::string path;
  std::string reason;
};

struct PublishedHistory {
  // In the order of time; where dates are equal, of names as text.
  std::vector<PublishedRun> runs;
  std::vector<UnreadableDocument> unreadable;  // never left out in silence
};

// One document. The reason why it is none, otherwise. Documents that are given
// the same `keys` share them; no other thread may use those meanwhile.
struct PublishedParse {
  std::optional<PublishedDocument> document;
  std::string reason;
};
PublishedParse parse_published(std::string text, const std::string& path,
                               std::shared_ptr<PublishedKeys> keys = nullptr);

// Every run below `folder`: its subfolders, or itself when it has none. Of two
// documents of one configuration in a run the later name counts, and the other
// is listed as unreadable: the project's own reader drops it without a word.
PublishedHistory load_published(const std::string& folder);

// The project's way to thin a long history: the newest `window` runs stay, the
// older ones of each UTC day become one point that holds the median of each
// number. Flags, series and nulls are not in such points.
constexpr std::size_t kRawRuns = 100;  // its window, before any score
std::vector<PublishedRun> compress_history(std::vector<PublishedRun> runs,
                                           std::size_t window);

}  // namespace cowbench
