// SPDX-License-Identifier: Apache-2.0
// describe PLUGIN...: loads the libraries as the runner does and prints a line
// for each plugin, then how long it took. Exit status 1 when one is refused.
#include <chrono>
#include <iostream>

#include "plugin/catalog.hpp"

int main(int argc, char** argv) {
  using namespace cowbench;
  using Clock = std::chrono::steady_clock;
  PluginSearch search;
  search.files.assign(argv + 1, argv + argc);
  const auto begin = Clock::now();
  const Catalog catalog = Catalog::load(search);
  const std::chrono::duration<double, std::milli> spent = Clock::now() - begin;
  for (const Plugin& plugin : catalog.plugins()) {
    const bool layer = plugin.kind == Plugin::Kind::kLayer;
    std::cout << (layer ? "layer " : "phase ") << plugin.id << ' '
              << plugin.version << ' ' << plugin.options.size() << " options "
              << plugin.metrics.size() << " metrics\n";
  }
  for (const std::string& warning : catalog.warnings()) {
    std::cerr << warning << '\n';
  }
  for (const Refusal& refusal : catalog.refusals()) {
    std::cerr << refusal.sentence() << '\n';
  }
  std::cout << argc - 1 << " libraries in " << spent.count() << " ms\n";
  return catalog.refusals().empty() ? 0 : 1;
}
