// SPDX-License-Identifier: Apache-2.0
// What a block device is, and who uses it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/device_number.hpp"

namespace cowbench {

// From sysfs and the device itself. Text the kernel does not tell is empty.
struct BlockFacts {
  std::string path;  // canonical: /dev/sda
  DeviceNumber number;
  std::uint64_t size_bytes = 0;
  std::uint32_t logical_sector_bytes = 0;
  std::uint32_t physical_sector_bytes = 0;
  bool rotational = false;
  bool read_only = false;
  bool partition = false;  // false: a whole disk
  std::string parent;      // the disk of a partition: /dev/sda
  std::string model;
  std::string transport;    // "nvme", "ata", "usb", "virtio", "loop", "dm", ...
  std::string scheduler;    // the one in effect
  std::string write_cache;  // "write back" or "write through"
  std::uint32_t queue_requests = 0;
  std::uint32_t max_request_kib = 0;
  std::uint64_t discard_granularity_bytes = 0;
  std::uint64_t discard_max_bytes = 0;  // 0: no discard
  std::vector<std::string> holders;     // names of devices built on it: dm-0
  std::vector<std::string> partitions;  // names: sda1
};

// kUsage when path is no block device, naming what it is instead.
Result<BlockFacts> block_facts(const std::string& path);

enum class Usage { kMounted, kSwap, kHeld, kPartitioned, kOpenExclusively };

struct UsageReason {
  Usage usage;
  std::string text;  // "mounted on /home", "held by dm-0", ...
};

// All reasons why this device is not free; empty when it is. A partitioned
// disk's partitions are looked at too. Opening a device needs root; without
// it only that one check is left out.
Result<std::vector<UsageReason>> device_usage(const std::string& path);

// The device paths in the text of /proc/swaps.
std::vector<std::string> parse_swaps(std::string_view text);
// "none [mq-deadline] kyber" -> "mq-deadline".
std::string parse_scheduler(std::string_view text);

// Makes every byte of a block device zero, by discarding where that gives
// zeroes, so that a sparse image behind it stays sparse.
Status zero_device(const std::string& path);

}  // namespace cowbench
