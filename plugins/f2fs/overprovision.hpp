// SPDX-License-Identifier: Apache-2.0
// The space that is kept for cleaning.
#pragma once

#include <string>

#include "f2fs/facts.hpp"

namespace cowbench::f2fs {

// `segments` as the kernel says it. Throws Error(COWBENCH_TOOL_FAILED) unless
// that is what mkfs.f2fs makes of a share of `percent`, 0: of any.
void require_overprovision(const Superblock& superblock, double percent,
                           const std::string& segments);

// What the segments are of those for files and directories, in percent: "7.57".
std::string overprovision_text(const Superblock& superblock,
                               const std::string& segments);

}  // namespace cowbench::f2fs
