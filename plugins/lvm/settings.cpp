// SPDX-License-Identifier: Apache-2.0
#include "lvm/settings.hpp"

#include <algorithm>
#include <numeric>

namespace cowbench::lvm {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

Pool pool_of(const std::string& word) {
  if (word == "thin") return Pool::kThin;
  return word == "vdo" ? Pool::kVdo : Pool::kNone;
}

Cache cache_of(const std::string& word) {
  if (word == "none") return Cache::kNone;
  return word == "writecache" ? Cache::kWritecache : Cache::kCache;
}

std::uint32_t stripes_for(const Settings& settings) {
  const auto count = static_cast<std::uint32_t>(settings.data_devices.size());
  if (!settings.striped()) return 1;
  if (settings.type == "raid10") return count / (settings.mirrors + 1);
  return count > settings.parity() ? count - settings.parity() : 0;
}

std::uint32_t least_stripes(const std::string& type) {
  if (type == "linear" || type == "raid1") return 1;
  return type == "raid6" ? 3 : 2;
}

bool power_of_two(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

std::uint64_t divided_up(std::uint64_t value, std::uint64_t by) {
  return (value + by - 1) / by;
}

void layout_faults(const Settings& settings, std::vector<std::string>& faults) {
  const std::size_t count = settings.data_devices.size();
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  if (count == 0) {
    faults.push_back("no devices for the volume");
    return;
  }
  if (settings.stripes < least_stripes(settings.type)) {
    faults.push_back("type: " + settings.type + " needs at least " +
                     number(least_stripes(settings.type)) + " stripes; its " +
                     number(count) + " devices give " +
                     number(settings.stripes));
  } else if (settings.type != "linear" && settings.images() != count) {
    faults.push_back("type: " + settings.type +
                     " with these stripes and "
                     "mirrors takes " +
                     number(settings.images()) + " devices, there are " +
                     number(count));
  }
}

void combination_faults(const Settings& settings,
                        std::vector<std::string>& faults) {
  if (settings.integrity && !settings.redundant()) {
    faults.push_back("raid_integrity: needs a type with redundancy; " +
                     settings.type + " could tell damage, not mend it");
  }
  if (settings.integrity && settings.pool != Pool::kNone) {
    faults.push_back(
        "raid_integrity: not below a pool of the same layer; put "
        "a second lvm layer with the pool on this one");
  }
  if (settings.integrity && settings.volume_percent > 95) {
    faults.push_back(
        "volume_percent: checksums need room in the group; 95 is "
        "the most with raid_integrity");
  }
  if (settings.cache != Cache::kNone && settings.pool != Pool::kNone) {
    faults.push_back(
        "cache: not with a pool in the same layer; put a second "
        "lvm layer with the pool on this one");
  }
}

// Of each device: what the layout's own records and the pool's metadata take.
std::uint64_t reserved_extents(const Settings& settings,
                               std::uint64_t metadata) {
  const std::uint64_t records = settings.raid() ? 1 : 0;
  // The metadata of a pool over an array lies on an array, too, with records
  // of its own; it may lie on any of the devices.
  const std::uint64_t pool = metadata == 0 ? 0 : metadata + records;
  return records + pool;
}

// What LVM 2.03 sets aside for the checksums of one image: it counts 4 MiB for
// every 500 MiB begun, and adds room for the journal by steps, in bitmap mode
// too. LVM drops what is left of an extent; rounded up here, it takes no more.
std::uint64_t checksum_extents(const Settings& settings, std::uint64_t image) {
  const std::uint64_t bytes = image * settings.extent_bytes;
  std::uint64_t journal = 64 * kMib;
  if (bytes <= 512 * kMib) {
    journal = 4 * kMib;
  } else if (bytes <= 1024 * kMib) {
    journal = 8 * kMib;
  } else if (bytes <= 4096 * kMib) {
    journal = 32 * kMib;
  }
  return divided_up((bytes / (500 * kMib) + 1) * 4 * kMib + journal,
                    settings.extent_bytes);
}

// The largest image that fits into so many extents, with its checksums.
std::uint64_t image_extents(const Settings& settings, std::uint64_t room) {
  if (!settings.integrity) return room;
  const std::uint64_t most = checksum_extents(settings, room);
  std::uint64_t image = room > most ? room - most : 0;
  // The checksums of the smaller image are smaller, too.
  while (image + 1 + checksum_extents(settings, image + 1) <= room) ++image;
  return image;
}

}  // namespace

std::uint32_t Settings::parity() const {
  if (type == "raid5") return 1;
  return type == "raid6" ? 2 : 0;
}

std::uint32_t Settings::images() const {
  return stripes * (mirrors + 1) + parity();
}

std::vector<std::string> Settings::devices() const {
  std::vector<std::string> all = data_devices;
  all.insert(all.end(), cache_devices.begin(), cache_devices.end());
  return all;
}

Settings read_settings(const Host& host) {
  Settings settings;
  settings.type = host.text("type");
  const std::string cache = host.text("cache");
  settings.cache = cache_of(cache);
  settings.cache_mode = settings.cache == Cache::kCache ? cache : "";
  for (const cowbench_device* device : host.devices()) {
    const bool fast = settings.cache != Cache::kNone &&
                      host.text("cache_group") == device->group;
    (fast ? settings.cache_devices : settings.data_devices)
        .emplace_back(device->path);
  }
  settings.mirrors = settings.mirrored()
                         ? static_cast<std::uint32_t>(host.integer("mirrors"))
                         : 0;
  settings.stripes = host.has("stripes") && settings.striped()
                         ? static_cast<std::uint32_t>(host.integer("stripes"))
                         : stripes_for(settings);
  settings.stripe_bytes = host.amount("stripe_size");
  settings.region_bytes = host.amount("region_size");
  settings.integrity = host.boolean("raid_integrity");
  settings.integrity_mode = host.text("raid_integrity_mode");
  settings.integrity_block_bytes = host.text("raid_integrity_block_size");
  settings.extent_bytes = host.amount("extent_size");
  settings.volume_percent =
      static_cast<std::uint32_t>(host.integer("volume_percent"));
  settings.pool = pool_of(host.text("pool"));
  settings.virtual_percent =
      static_cast<std::uint32_t>(host.integer("virtual_percent"));
  settings.thin_chunk_bytes = host.amount("thin_chunk_size");
  settings.thin_zero = host.boolean("thin_zero");
  settings.thin_discards = host.text("thin_discards");
  settings.thin_metadata_bytes = host.amount("thin_metadata_size");
  settings.cache_chunk_bytes = host.amount("cache_chunk_size");
  settings.cache_policy = host.text("cache_policy");
  settings.writecache_block_bytes = host.text("writecache_block_size");
  settings.cache_settings = host.text_list("cache_settings");
  settings.vdo_compression = host.boolean("vdo_compression");
  settings.vdo_deduplication = host.boolean("vdo_deduplication");
  settings.vdo_slab_bytes = host.amount("vdo_slab_size");
  settings.vdo_index_memory_bytes = host.amount("vdo_index_memory_size");
  settings.vdo_sparse_index = host.boolean("vdo_sparse_index");
  settings.vdo_block_map_cache_bytes = host.amount("vdo_block_map_cache_size");
  return settings;
}

std::vector<std::string> faults_of(const Settings& settings,
                                   const std::string& cache_group) {
  std::vector<std::string> faults;
  layout_faults(settings, faults);
  combination_faults(settings, faults);
  if (settings.cache != Cache::kNone && settings.cache_devices.empty()) {
    faults.push_back("cache_group: the layer stands on nothing called " +
                     cache_group);
  }
  const auto need_power_of_two = [&](const char* key, std::uint64_t value) {
    if (power_of_two(value)) return;
    faults.push_back(std::string(key) + ": " + std::to_string(value) +
                     " is not a power of two");
  };
  need_power_of_two("extent_size", settings.extent_bytes);
  need_power_of_two("vdo_slab_size", settings.vdo_slab_bytes);
  if (settings.striped()) {
    need_power_of_two("stripe_size", settings.stripe_bytes);
  }
  if (settings.redundant()) {
    need_power_of_two("region_size", settings.region_bytes);
  }
  if (settings.pool == Pool::kThin && settings.thin_chunk_bytes % 65536 != 0) {
    faults.push_back("thin_chunk_size: not a multiple of 64 KiB");
  }
  if (settings.cache == Cache::kCache &&
      settings.cache_chunk_bytes % 32768 != 0) {
    faults.push_back("cache_chunk_size: not a multiple of 32 KiB");
  }
  return faults;
}

std::uint64_t vdo_extents(const Settings& settings, std::uint64_t free_blocks) {
  // A page of the map, one block, serves 812 blocks; a hundredth covers the
  // pages and the tree over them.
  const std::uint64_t extents =
      free_blocks * 4096 / 100 * 99 / settings.extent_bytes;
  if (extents != 0) return extents;
  throw Error(COWBENCH_BAD_CONFIG,
              "the devices are too small: beside its index VDO has no room "
              "for data; give larger members");
}

std::uint64_t virtual_extents(const Settings& settings,
                              std::uint64_t pool_extents) {
  const std::uint64_t percent =
      settings.virtual_percent == 0 ? 100 : settings.virtual_percent;
  return pool_extents * percent / 100;
}

Extents share_out(const Settings& settings,
                  const std::vector<std::uint64_t>& data,
                  const std::vector<std::uint64_t>& cache) {
  Extents extents;
  const std::uint64_t all =
      std::accumulate(data.begin(), data.end(), std::uint64_t{0});
  if (settings.pool == Pool::kThin) {
    const std::uint64_t chunks =
        all * settings.extent_bytes / settings.thin_chunk_bytes;
    const std::uint64_t bytes = settings.thin_metadata_bytes != 0
                                    ? settings.thin_metadata_bytes
                                    : std::max(8 * kMib, 2 * 64 * chunks);
    extents.metadata = divided_up(bytes, settings.extent_bytes);
  }
  const std::uint64_t reserved = reserved_extents(settings, extents.metadata);
  const auto usable = [&](std::uint64_t device) {
    const std::uint64_t part = device * settings.volume_percent / 100;
    return part > reserved ? image_extents(settings, part - reserved) : 0;
  };
  if (settings.type == "linear") {
    for (const std::uint64_t device : data) extents.volume += usable(device);
  } else if (!data.empty()) {
    extents.volume =
        usable(*std::min_element(data.begin(), data.end())) * settings.stripes;
  }
  extents.cache = std::accumulate(cache.begin(), cache.end(), std::uint64_t{0});
  if (settings.cache == Cache::kCache) {
    // Mapping, hint and dirty bit of a chunk take less than 64 bytes.
    const std::uint64_t chunks =
        extents.cache * settings.extent_bytes / settings.cache_chunk_bytes;
    extents.metadata =
        divided_up(std::max(8 * kMib, 64 * chunks), settings.extent_bytes);
    extents.cache -= std::min(extents.cache, extents.metadata);
  }
  const bool no_cache = settings.cache != Cache::kNone && extents.cache == 0;
  if (extents.volume == 0 || no_cache) {
    throw Error(COWBENCH_BAD_CONFIG,
                "the devices are too small: beside LVM's own records nothing "
                "is left for the volume or its cache; give larger members");
  }
  return extents;
}

}  // namespace cowbench::lvm
