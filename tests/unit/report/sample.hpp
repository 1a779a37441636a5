// SPDX-License-Identifier: Apache-2.0
// Result documents for the tests: stored logs with some words exchanged.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "result/document.hpp"
#include "result/fold.hpp"

namespace cowbench_test {

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// What a report must look like, to the character.
inline std::string expected(const std::string& name) {
  return content_of(COWBENCH_FIXTURES "/reports/" + name);
}

using Changes = std::vector<std::pair<std::string, std::string>>;

// The document of tests/fixtures/results/<name>, every occurrence of each
// change's first text replaced by its second.
inline cowbench::ResultDocument sample(const std::string& name,
                                       const Changes& changes = {}) {
  std::string log =
      content_of(COWBENCH_FIXTURES "/results/" + name + "/events.jsonl");
  for (const auto& [from, to] : changes) {
    std::size_t at = log.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    for (; at != std::string::npos; at = log.find(from, at + to.size())) {
      log.replace(at, from.size(), to);
    }
  }
  const auto text = cowbench::fold_events(log);
  if (!text) throw std::runtime_error(text.error().message());
  auto document = cowbench::parse_document(*text);
  if (!document) throw std::runtime_error(document.error().message());
  return *document;
}

// A repetition of the job with another stream write bandwidth.
inline cowbench::ResultDocument repetition(int number,
                                           const std::string& bandwidth,
                                           Changes changes = {}) {
  changes.emplace_back("\"repetition\":1",
                       "\"repetition\":" + std::to_string(number));
  changes.emplace_back("\"value\":812.5", "\"value\":" + bandwidth);
  return sample("ok", changes);
}

}  // namespace cowbench_test
