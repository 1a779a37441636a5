// SPDX-License-Identifier: Apache-2.0
#include "lvm/read_back.hpp"

#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>

#include "lvm/cache_settings.hpp"
#include "lvm/shares.hpp"

namespace cowbench::lvm {
namespace {

std::string text_of(std::uint64_t number) { return std::to_string(number); }

// Arrays of checksummed devices count those among their targets.
std::uint64_t count_of(const ReadBack& found, const std::string& type) {
  std::uint64_t count = 0;
  for (const Target& target : found.targets) count += target.type == type;
  return count;
}

void require_field(const Row& row, const std::string& field,
                   const std::string& asked) {
  require_effective(field + " of " + row.text("lv_name"), asked,
                    row.text(field));
}

// A volume that is not well says "partial", "refresh needed", ...
void require_health(const ReadBack& found) {
  for (const Row& row : found.volumes) {
    const std::string& health = row.text("lv_health_status");
    if (health.empty()) continue;
    throw Error(COWBENCH_DEVICE_LOST,
                "volume " + row.text("lv_name") + " is not well: " + health);
  }
}

void require_group(const Settings& settings, const ReadBack& found) {
  require_effective("extent_size", text_of(settings.extent_bytes),
                    found.group.text("vg_extent_size"));
  require_effective("physical volumes", text_of(settings.devices().size()),
                    found.group.text("pv_count"));
  require_effective("missing physical volumes", "0",
                    found.group.text("vg_missing_pv_count"));
  // An event of udev would otherwise bring the group up while it is meant to
  // be stopped.
  require_effective("automatic activation", "",
                    found.group.text("vg_autoactivation"));
}

void require_layout(const Settings& settings, const Row& base) {
  require_field(base, "segtype", settings.type);
  if (settings.striped()) {
    require_field(base, "data_stripes", text_of(settings.stripes));
    require_field(base, "stripe_size", text_of(settings.stripe_bytes));
  }
  if (settings.type != "linear") {
    require_field(base, "stripes", text_of(settings.images()));
  }
  if (!settings.redundant()) return;
  require_field(base, "region_size", text_of(settings.region_bytes));
  require_field(base, "sync_percent", "100.00");
}

void require_integrity(const Settings& settings, const ReadBack& found) {
  require_effective("devices with checksums",
                    settings.integrity ? text_of(settings.images()) : "0",
                    text_of(count_of(found, "integrity")));
  if (!settings.integrity) return;
  const Row& base = found.volume(base_volume(settings));
  require_field(base, "raidintegritymode", settings.integrity_mode);
  require_field(base, "raidintegrityblocksize", settings.integrity_block_bytes);
  const std::string letter = settings.integrity_mode == "journal" ? "J" : "B";
  for (const Target& target : found.targets) {
    if (target.type != "integrity") continue;
    // Device, offset, bytes of a tag, mode, optional words.
    require_effective("integrity mode of " + target.device, letter,
                      target.argument(3));
  }
}

void require_thin(const Settings& settings, const ReadBack& found) {
  const Row& pool = found.volume(kPool);
  require_field(pool, "segtype", "thin-pool");
  require_field(pool, "chunk_size", text_of(settings.thin_chunk_bytes));
  require_field(pool, "zero", settings.thin_zero ? "zero" : "");
  require_field(pool, "discards", settings.thin_discards);
  const Row& volume = found.volume(kVolume);
  require_field(volume, "segtype", "thin");
  require_field(volume, "pool_lv", kPool);
}

void require_vdo(const Settings& settings, const ReadBack& found) {
  const Row& pool = found.volume(kPool);
  require_field(pool, "segtype", "vdo-pool");
  const auto enabled = [](bool value) { return value ? "enabled" : ""; };
  require_field(pool, "vdo_compression", enabled(settings.vdo_compression));
  require_field(pool, "vdo_deduplication", enabled(settings.vdo_deduplication));
  require_field(pool, "vdo_slab_size", text_of(settings.vdo_slab_bytes));
  require_field(pool, "vdo_index_memory_size",
                text_of(settings.vdo_index_memory_bytes));
  require_field(pool, "vdo_use_sparse_index",
                enabled(settings.vdo_sparse_index));
  require_field(pool, "vdo_block_map_cache_size",
                text_of(settings.vdo_block_map_cache_bytes));
  require_field(pool, "vdo_operating_mode", "normal");
  require_field(found.volume(kVolume), "segtype", "vdo");
  const Target& table = found.target("vdo");
  require_effective("compression in the kernel",
                    settings.vdo_compression ? "on" : "off",
                    table.after("compression"));
  require_effective("deduplication in the kernel",
                    settings.vdo_deduplication ? "on" : "off",
                    table.after("deduplication"));
}

void require_cache(const Settings& settings, const ReadBack& found) {
  const Row& volume = found.volume(kVolume);
  if (settings.cache == Cache::kWritecache) {
    require_field(volume, "segtype", "writecache");
    require_field(volume, "writecache_block_size",
                  settings.writecache_block_bytes);
    // Kind of cache ("s": a disk), origin, cache, block size.
    const Target& table = found.target("writecache");
    require_effective("block size of writecache in the kernel",
                      settings.writecache_block_bytes, table.argument(3));
    return;
  }
  require_field(volume, "segtype", "cache");
  require_field(volume, "cache_mode", settings.cache_mode);
  require_field(volume, "chunk_size", text_of(settings.cache_chunk_bytes));
  require_field(volume, "cache_policy", settings.cache_policy);
  require_field(volume, "kernel_cache_policy", settings.cache_policy);
  // The mode is one of the features, which are counted.
  const bool in_effect = found.target("cache").has(settings.cache_mode);
  require_effective("cache mode in the kernel", settings.cache_mode,
                    in_effect ? settings.cache_mode : "another");
}

// Besides the first copy. Of raid1 every device has one; of raid10 the stripes
// of data are the ones that are copied.
std::string mirrors_of(const Row& base) {
  const bool striped = base.text("segtype") == "raid10";
  const std::uint64_t apart = striped ? base.number("data_stripes") : 1;
  return apart == 0 ? "" : text_of(base.number("stripes") / apart - 1);
}

void report_layout(const Host& host, const Settings& settings,
                   const ReadBack& found) {
  const Row& base = found.volume(base_volume(settings));
  host.effective("type", base.text("segtype"));
  host.effective("devices", found.group.text("pv_count"));
  host.effective("extent_size", found.group.text("vg_extent_size"));
  host.effective("group_extents", found.group.text("vg_extent_count"));
  host.effective("group_free_extents", found.group.text("vg_free_count"));
  host.effective("base_size", base.text("lv_size"));
  if (settings.striped()) {
    host.effective("stripes", base.text("data_stripes"));
    host.effective("stripe_size", base.text("stripe_size"));
  }
  if (settings.mirrored()) host.effective("mirrors", mirrors_of(base));
  if (!settings.redundant()) return;
  host.effective("region_size", base.text("region_size"));
  host.effective("sync_percent", base.text("sync_percent"));
  host.effective("raid_integrity", true_or_false(settings.integrity));
  if (!settings.integrity) return;
  host.effective("raid_integrity_mode", base.text("raidintegritymode"));
  host.effective("raid_integrity_block_size",
                 base.text("raidintegrityblocksize"));
  host.effective("raid_integrity_algorithm",
                 found.target("integrity").option("internal_hash"));
  host.effective("raid_integrity_mismatches", base.text("integritymismatches"));
}

void report_pool(const Host& host, const Settings& settings,
                 const ReadBack& found) {
  if (settings.pool == Pool::kNone) return;
  const Row& pool = found.volume(kPool);
  host.effective("pool", pool.text("segtype"));
  if (settings.pool == Pool::kThin) {
    host.effective("thin_chunk_size", pool.text("chunk_size"));
    host.effective("thin_zero", true_or_false(pool.text("zero") == "zero"));
    host.effective("thin_discards", pool.text("discards"));
    host.effective("thin_discards_in_kernel", pool.text("kernel_discards"));
    host.effective("thin_metadata_size", pool.text("lv_metadata_size"));
    return;
  }
  for (const char* field : {"vdo_compression", "vdo_deduplication"}) {
    host.effective(field, true_or_false(pool.text(field) == "enabled"));
  }
  host.effective("vdo_sparse_index",
                 true_or_false(pool.text("vdo_use_sparse_index") == "enabled"));
  for (const char* field :
       {"vdo_slab_size", "vdo_index_memory_size", "vdo_block_map_cache_size",
        "vdo_minimum_io_size", "vdo_operating_mode", "vdo_index_state",
        "vdo_compression_state"}) {
    host.effective(field, pool.text(field));
  }
}

void report_cache(const Host& host, const Settings& settings,
                  const ReadBack& found) {
  if (settings.cache == Cache::kNone) return;
  const Row& volume = found.volume(kVolume);
  host.effective("cache", volume.text("segtype"));
  host.effective("cache_size", cache_volume(settings, found).text("lv_size"));
  host.effective("cache_settings",
                 settings_text(settings_in_effect(settings, found)));
  if (settings.cache == Cache::kWritecache) {
    host.effective("writecache_block_size",
                   volume.text("writecache_block_size"));
    return;
  }
  host.effective("cache_mode", volume.text("cache_mode"));
  host.effective("cache_chunk_size", volume.text("chunk_size"));
  host.effective("cache_policy", volume.text("kernel_cache_policy"));
  host.effective("cache_metadata_format",
                 volume.text("kernel_metadata_format"));
}

}  // namespace

const Target& ReadBack::target(const std::string& type) const {
  for (const Target& one : targets) {
    if (one.type == type) return one;
  }
  throw Error(COWBENCH_TOOL_FAILED, "device-mapper has no target of type " +
                                        type + " in group " +
                                        group.text("vg_name"));
}

ReadBack read_back(const Group& group) {
  std::vector<Row> volumes = group.volumes();
  Row of_group = volumes.front();
  return {std::move(of_group), std::move(volumes),
          parse_targets(group.tables(), group.name()), group.device_extents()};
}

std::string base_volume(const Settings& settings) {
  if (settings.pool == Pool::kThin) return std::string(kPool) + "_tdata";
  if (settings.pool == Pool::kVdo) return std::string(kPool) + "_vdata";
  switch (settings.cache) {
    case Cache::kCache:
      return std::string(kVolume) + "_corig";
    case Cache::kWritecache:
      return std::string(kVolume) + "_wcorig";
    case Cache::kNone:
      break;
  }
  return kVolume;
}

const Row& cache_volume(const Settings& settings, const ReadBack& found) {
  if (settings.cache == Cache::kWritecache) {
    return found.volume(std::string(kFast) + "_cvol");
  }
  return row_of(found.volumes, "segtype", "cache-pool");
}

void require_as_asked(const Settings& settings, const ReadBack& found) {
  require_health(found);
  require_group(settings, found);
  require_layout(settings, found.volume(base_volume(settings)));
  require_integrity(settings, found);
  if (settings.pool == Pool::kThin) require_thin(settings, found);
  if (settings.pool == Pool::kVdo) require_vdo(settings, found);
  if (settings.cache != Cache::kNone) {
    require_cache(settings, found);
    require_cache_settings(settings, settings_in_effect(settings, found));
  }
  require_shares(settings, found);
}

void report_effective(const Host& host, const Settings& settings,
                      const ReadBack& found) {
  const Row& volume = found.volume(kVolume);
  host.effective("group", found.group.text("vg_name"));
  host.effective("uuid", volume.text("lv_uuid"));
  host.effective("size", volume.text("lv_size"));
  report_layout(host, settings, found);
  report_shares(host, settings, found);
  report_pool(host, settings, found);
  report_cache(host, settings, found);
}

}  // namespace cowbench::lvm
