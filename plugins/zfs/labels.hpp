// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench::zfs {

// Where the four labels of a vdev of that size begin: two at its start, two at
// its end. Bytes. None for a device that is too small for them.
std::vector<std::uint64_t> label_offsets(std::uint64_t device_bytes);

// Those of them where a label lies, whatever pool it belongs or belonged to;
// one that has been cleared does not count. Reads past the page cache. Throws
// std::system_error.
std::vector<std::uint64_t> find_labels(const std::string& path);

}  // namespace cowbench::zfs
