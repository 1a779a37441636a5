// SPDX-License-Identifier: Apache-2.0
// A made-up vocabulary with an option of every type; the fixtures in
// tests/fixtures/config are written against it.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "config/vocabulary.hpp"

namespace cowbench_test {

inline cowbench::OptionSpec option(cowbench::OptionType type, std::string key,
                                   double minimum = 0, double maximum = 0) {
  cowbench::OptionSpec spec;
  spec.type = type;
  spec.key = std::move(key);
  spec.summary = "for tests";
  spec.minimum = minimum;
  spec.maximum = maximum;
  return spec;
}

inline cowbench::OptionSpec choice(std::string key,
                                   std::vector<std::string> allowed) {
  cowbench::OptionSpec spec = option(cowbench::OptionType::kText, key);
  spec.allowed = std::move(allowed);
  return spec;
}

inline cowbench::OptionSpec with_default(cowbench::OptionSpec spec,
                                         std::string text) {
  spec.default_value = std::move(text);
  return spec;
}

inline cowbench::OptionSpec required(cowbench::OptionSpec spec) {
  spec.required = true;
  return spec;
}

inline cowbench::LayerSpec layer(std::string name, bool mount,
                                 std::uint32_t minimum, std::uint32_t maximum) {
  cowbench::LayerSpec spec;
  spec.name = std::move(name);
  spec.output_is_mount = mount;
  spec.minimum_devices = minimum;
  spec.maximum_devices = maximum;
  return spec;
}

inline cowbench::Vocabulary vocabulary() {
  using cowbench::OptionType;
  cowbench::LayerSpec flat = layer("flat", true, 1, 1);
  flat.options = {
      with_default(option(OptionType::kSize, "block_size", 1024, 65536),
                   "4KiB"),
      option(OptionType::kText, "label")};
  cowbench::LayerSpec pool = layer("pool", true, 1, 0);
  pool.options = {
      with_default(choice("data", {"single", "mirror", "stripe"}), "single"),
      with_default(choice("metadata", {"single", "mirror"}), "mirror"),
      option(OptionType::kBoolean, "lazy"),
      option(OptionType::kNumber, "fraction", 0, 1),
      option(OptionType::kInteger, "depth", 1, 9),
      option(OptionType::kDuration, "commit", 1e9, 3600e9),
      option(OptionType::kTextList, "features")};
  cowbench::LayerSpec crypt = layer("crypt", false, 1, 0);
  crypt.options = {with_default(choice("cipher", {"aes", "none"}), "aes")};
  cowbench::LayerSpec array = layer("array", false, 2, 8);
  array.options = {required(choice("level", {"0", "1", "10"}))};

  cowbench::PhaseSpec warmup;
  warmup.name = "warmup";
  warmup.before_stack = true;
  warmup.options = {
      with_default(option(OptionType::kDuration, "runtime"), "2s")};
  cowbench::PhaseSpec stream;
  stream.name = "stream";
  stream.options = {
      with_default(option(OptionType::kSize, "file_size", 4096, 1099511627776),
                   "64MiB"),
      with_default(option(OptionType::kDuration, "runtime", 1e8, 3600e9), "5s"),
      with_default(option(OptionType::kTextList, "jobs_extra"), ""),
      with_default(option(OptionType::kBoolean, "sharded"), "false"),
      option(OptionType::kNumber, "ratio", 0, 1)};
  stream.options[2].allowed = {"8", "16"};
  cowbench::PhaseSpec tree;
  tree.name = "tree";
  tree.options = {
      with_default(option(OptionType::kInteger, "files", 1, 1000000), "100")};
  cowbench::PhaseSpec replay;
  replay.name = "replay";
  replay.options = {required(option(OptionType::kText, "trace"))};

  cowbench::Vocabulary vocabulary;
  for (const auto& spec : {flat, pool, crypt, array}) {
    vocabulary.layers.emplace(spec.name, spec);
  }
  for (const auto& spec : {warmup, stream, tree, replay}) {
    vocabulary.phases.emplace(spec.name, spec);
  }
  return vocabulary;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace cowbench_test
