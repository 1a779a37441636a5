// SPDX-License-Identifier: Apache-2.0
// How fast the disks of a guest are allowed to be: configs/member-models.json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

// 0: no limit.
struct DiskModel {
  std::uint64_t iops = 0;
  std::uint64_t bytes_per_second = 0;
};

// By the name that stack files give under "model".
using DiskModels = std::map<std::string, DiskModel>;

// `text` was read from `path`. kUsage: it is not of the form that
// configs/README.md describes.
Result<DiskModels> parse_disk_models(std::string_view text,
                                     const std::string& path);

// The file of the installed program, or of the tree it was built in.
Result<DiskModels> load_disk_models();

}  // namespace cowbench
