// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench::bcachefs {

// One line of "Data type  Required/total  Durability  Devices".
struct UsageRow {
  std::string type;  // "user", "btree", "parity", "cached"
  std::uint64_t required = 0, total = 0;
  std::uint64_t bytes = 0;  // on all its devices together
};

struct DeviceUsage {
  std::string name;  // the kernel's: "vdc"
  std::uint64_t free_bytes = 0, capacity_bytes = 0;
};

// What `bcachefs fs usage` says, in bytes.
struct Usage {
  std::vector<UsageRow> rows;
  std::vector<DeviceUsage> devices;
};

// Throws Error(COWBENCH_TOOL_FAILED) when it has no devices.
Usage parse_usage(const std::string& text);

// The stripes of user data as "2/4": blocks of data and blocks in all. Those
// of which there is most; empty when no user data are in stripes.
std::string stripes_of_user_data(const Usage& usage);

// Bytes of user data by "required/total", "1/2" being two plain copies.
std::uint64_t user_bytes(const Usage& usage, bool in_stripes);

// Data and metadata once, without copies and parity, as stored (compressed).
std::uint64_t content_bytes(const Usage& usage);

std::uint64_t allocated_bytes(const Usage& usage);

}  // namespace cowbench::bcachefs
