// SPDX-License-Identifier: Apache-2.0
// Made-up published histories for the tests of the page.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "report/page.hpp"
#include "sample.hpp"

namespace cowbench_test {

inline cowbench::PublishedMetrics shipped_metrics() {
  auto metrics = cowbench::parse_published_metrics(
      content_of(COWBENCH_SOURCE_DIR "/configs/metrics/published.json"));
  if (!metrics) throw std::runtime_error(metrics.error().message());
  return *std::move(metrics);
}

inline cowbench::ScoreModel shipped_score() {
  auto model = cowbench::parse_score_model(
      content_of(COWBENCH_SOURCE_DIR "/configs/score/published-v1.json"));
  if (!model) throw std::runtime_error(model.error().message());
  return *std::move(model);
}

// A document "<fs>/<layout>" with the members of `results`.
inline cowbench::PublishedDocument published(const std::string& fs,
                                             const std::string& layout,
                                             const std::string& results,
                                             const std::string& date) {
  auto parse = cowbench::parse_published(
      R"({"fs":")" + fs + R"(","layout":")" + layout +
          R"(","kernel":"7.0","version":"1","devices":"loop","ndev":4,"date":")" +
          date + R"(","calibration":{},"results":{)" + results + "}}",
      "result.json");
  if (!parse.document) throw std::runtime_error(parse.reason);
  return std::move(*parse.document);
}

// A run of one document, on the hour of day 1 + number / 24 of a month.
inline cowbench::PublishedRun run_of(int number, const std::string& fs,
                                     const std::string& layout,
                                     const std::string& results) {
  const auto two = [](int value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
  };
  cowbench::PublishedRun run;
  run.name = std::to_string(number);
  run.date =
      "2026-07-" + two(1 + number / 24) + "T" + two(number % 24) + ":00:00Z";
  run.kernels = "7.0";
  run.documents.push_back(published(fs, layout, results, run.date));
  return run;
}

inline cowbench::Page page_of(cowbench::PublishedHistory history) {
  const auto model = shipped_score();
  cowbench::Page page;
  page.title = "test";
  cowbench::add_published(std::move(history), "hosted", shipped_metrics(),
                          &model, page);
  return page;
}

inline std::size_t index_of(const cowbench::Page& page,
                            const std::string& key) {
  for (std::size_t m = 0; m < page.metrics.size(); ++m) {
    if (page.metrics[m].key == key) return m;
  }
  throw std::runtime_error("no metric " + key);
}

inline const cowbench::PageCell& cell_of(const cowbench::Page& page,
                                         const std::string& key,
                                         std::size_t entry = 0) {
  return page.cells[index_of(page, key)][entry];
}

}  // namespace cowbench_test
