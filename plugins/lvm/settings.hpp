// SPDX-License-Identifier: Apache-2.0
// What a stack file asks of the layer, and the arithmetic of its layouts.
#pragma once

#include <cowbench/host.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace cowbench::lvm {

enum class Pool { kNone, kThin, kVdo };
enum class Cache { kNone, kCache, kWritecache };

struct Settings {
  std::string type;  // LVM's segment type
  std::uint32_t stripes = 1;
  std::uint32_t mirrors = 0;
  std::uint64_t stripe_bytes = 0;
  std::uint64_t region_bytes = 0;
  bool integrity = false;
  std::string integrity_mode;
  std::string integrity_block_bytes;
  std::uint64_t extent_bytes = 0;
  std::uint32_t volume_percent = 100;

  Pool pool = Pool::kNone;
  std::uint32_t virtual_percent = 0;  // 0: what the pool can hold
  std::uint64_t thin_chunk_bytes = 0;
  bool thin_zero = false;
  std::string thin_discards;
  std::uint64_t thin_metadata_bytes = 0;  // 0: by the number of chunks

  Cache cache = Cache::kNone;
  std::string cache_mode;
  std::uint64_t cache_chunk_bytes = 0;
  std::string cache_policy;
  std::string writecache_block_bytes;
  std::vector<std::string> cache_settings;

  bool vdo_compression = false;
  bool vdo_deduplication = false;
  std::uint64_t vdo_slab_bytes = 0;
  std::uint64_t vdo_index_memory_bytes = 0;
  bool vdo_sparse_index = false;
  std::uint64_t vdo_block_map_cache_bytes = 0;

  std::vector<std::string> data_devices;   // hold the volume
  std::vector<std::string> cache_devices;  // hold its cache

  bool raid() const { return type.rfind("raid", 0) == 0; }
  // Of an array that keeps copies or parity, which must be made to agree.
  bool redundant() const { return raid() && type != "raid0"; }
  bool striped() const { return type != "linear" && type != "raid1"; }
  bool mirrored() const { return type == "raid1" || type == "raid10"; }
  // The volume becomes as large as its VDO pool turns out to be.
  bool sized_by_pool() const {
    return pool == Pool::kVdo && virtual_percent == 0;
  }
  // Devices' worth of parity.
  std::uint32_t parity() const;
  // Devices that the layout takes; for linear, any number.
  std::uint32_t images() const;
  // All devices: those of the volume, then those of the cache.
  std::vector<std::string> devices() const;
};

// From the layer's configuration and devices.
Settings read_settings(const Host& host);

// Why it cannot work, all reasons; empty: it can.
std::vector<std::string> faults_of(const Settings& settings,
                                   const std::string& cache_group);

// Extents of the volume (or of a pool's data), of the metadata of a thin pool
// or of dm-cache, and of the cache itself.
struct Extents {
  std::uint64_t volume = 0;
  std::uint64_t metadata = 0;
  std::uint64_t cache = 0;
};

// Extents that a volume from an empty VDO pool may have so that it cannot run
// out of space: its free blocks of 4 KiB, less what the map of blocks takes
// when all are written. Throws as share_out() does.
std::uint64_t vdo_extents(const Settings& settings, std::uint64_t free_blocks);

// Of a volume from a pool with so many extents of data, when its size is asked
// for. In whole extents, as LVM would round it up otherwise.
std::uint64_t virtual_extents(const Settings& settings,
                              std::uint64_t pool_extents);

// Extents of each device, in the order of the settings.
struct DeviceExtents {
  std::vector<std::uint64_t> data;
  std::vector<std::uint64_t> cache;
};

// `data` and `cache`: extents of each device, in the order of the settings.
// Throws Error(COWBENCH_BAD_CONFIG) when nothing is left for one of them.
Extents share_out(const Settings& settings,
                  const std::vector<std::uint64_t>& data,
                  const std::vector<std::uint64_t>& cache);

}  // namespace cowbench::lvm
