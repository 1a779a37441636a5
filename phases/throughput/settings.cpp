// SPDX-License-Identifier: Apache-2.0
#include "throughput/settings.hpp"

namespace cowbench::throughput {
namespace {

void require(bool condition, const std::string& otherwise) {
  if (!condition) throw Error(COWBENCH_BAD_CONFIG, otherwise);
}

}  // namespace

bool Settings::wants(const Series& series) const {
  switch (series.jobs) {
    case 8:
      return eight;
    case 16:
      return sixteen;
    default:
      return true;
  }
}

Settings read_settings(const Host& host) {
  Settings settings;
  settings.file_bytes = host.amount("file_size");
  settings.random_bytes = host.amount("random_size");
  settings.read_bytes = host.amount("read_volume");
  settings.runtime_s = host.amount("runtime") / 1'000'000'000;
  settings.sharded = host.boolean("sharded");
  for (const std::string& jobs : host.text_list("jobs_extra")) {
    require(jobs == "8" || jobs == "16",
            "jobs_extra: \"" + jobs + "\"; only 8 and 16 can be added");
    (jobs == "8" ? settings.eight : settings.sixteen) = true;
  }
  // Sixteen jobs each get a whole number of blocks.
  constexpr std::uint64_t kStep = kStreamBlock;
  require(settings.file_bytes % kStep == 0 &&
              settings.random_bytes % kStep == 0 &&
              settings.read_bytes % kStep == 0,
          "file_size, random_size and read_volume must be multiples of 1MiB");
  require(settings.read_bytes <= settings.file_bytes,
          "read_volume is larger than file_size, so blocks would be read "
          "twice");
  return settings;
}

}  // namespace cowbench::throughput
