// SPDX-License-Identifier: Apache-2.0
#include "report/page.hpp"

#include <utility>

namespace cowbench {

std::size_t Page::metric_index(const PageMetric& metric) {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    // Published keys and ours are alike where they mean the same; the group
    // keeps apart what two phases call by one name.
    if (metrics[i].key == metric.key && metrics[i].group == metric.group) {
      return i;
    }
  }
  metrics.push_back(metric);
  cells.emplace_back(entries.size());
  series.emplace_back(entries.size());
  return metrics.size() - 1;
}

std::size_t Page::add_entry(PageEntry entry) {
  entries.push_back(std::move(entry));
  for (auto& row : cells) row.resize(entries.size());
  for (auto& row : series) row.resize(entries.size());
  return entries.size() - 1;
}

}  // namespace cowbench
