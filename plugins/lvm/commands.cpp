// SPDX-License-Identifier: Apache-2.0
#include "lvm/commands.hpp"

#include <cowbench/text.hpp>

namespace cowbench::lvm {
namespace {

// Over LVM's built-in defaults. Volumes may carry groups of further layers,
// so they are scanned when they are named. Monitoring would start a daemon
// that acts on its own; backups would be files on the host.
constexpr const char* kConfiguration =
    "devices { use_devicesfile = 0 hints = \"none\" scan_lvs = 1 } "
    "activation { monitoring = 0 } "
    "backup { backup = 0 archive = 0 }";

constexpr const char* kVolumeFields =
    "lv_name,lv_uuid,lv_dm_path,lv_size,segtype,stripes,data_stripes,"
    "stripe_size,region_size,chunk_size,sync_percent,raid_sync_action,"
    "raid_mismatch_count,lv_health_status,raidintegritymode,"
    "raidintegrityblocksize,integritymismatches,pool_lv,zero,discards,"
    "kernel_discards,lv_metadata_size,cache_mode,cache_policy,"
    "kernel_cache_policy,kernel_cache_settings,kernel_metadata_format,"
    "writecache_block_size,vdo_compression,vdo_deduplication,vdo_slab_size,"
    "vdo_index_memory_size,vdo_use_sparse_index,vdo_block_map_cache_size,"
    "vdo_operating_mode,vdo_compression_state,vdo_index_state,"
    "vdo_minimum_io_size,lv_active,vg_name,vg_uuid,vg_extent_size,"
    "vg_extent_count,vg_free_count,pv_count,vg_missing_pv_count,"
    "vg_autoactivation";
constexpr const char* kDeviceFields =
    "pv_name,pv_uuid,vg_name,pv_pe_count,pe_start,pv_missing,pv_duplicate";

constexpr std::uint64_t kSmallVdoExtents = 16;

std::string kib(std::uint64_t bytes) {
  return std::to_string(bytes / 1024) + "k";
}

std::string mib(std::uint64_t bytes) { return std::to_string(bytes >> 20); }

const char* true_or_false(bool value) { return value ? "y" : "n"; }

void append(Argv& argv, const Argv& more) {
  argv.insert(argv.end(), more.begin(), more.end());
}

}  // namespace

Argv isolated(const std::vector<std::string>& devices, const Argv& words) {
  // An empty system directory: no lvm.conf, no devices file, no archive.
  Argv argv = {
      "env",          "LVM_SYSTEM_DIR=", words.at(0),         "--config",
      kConfiguration, "--devices",       joined(devices, ",")};
  argv.insert(argv.end(), words.begin() + 1, words.end());
  return argv;
}

Argv Commands::make_device(const std::string& device,
                           const std::string& uuid) const {
  // --norestorefile goes with a uuid of one's own; it restores nothing.
  return run({"pvcreate", "-y", "--norestorefile", "--uuid", uuid, device});
}

Argv Commands::make_group() const {
  Argv argv = {"vgcreate",
               "-y",
               "--setautoactivation",
               "n",
               "--physicalextentsize",
               kib(settings_.extent_bytes),
               group_};
  append(argv, settings_.devices());
  return run(argv);
}

Argv Commands::make_base(std::uint64_t extents) const {
  const char* name = settings_.pool == Pool::kNone ? kVolume : kPool;
  Argv argv = {"lvcreate", "-y", "--wipesignatures", "y",
               "--zero",   "y",  "--type",           settings_.type};
  if (settings_.striped()) {
    append(argv, {"--stripes", std::to_string(settings_.stripes),
                  "--stripesize", kib(settings_.stripe_bytes)});
  }
  if (settings_.mirrored()) {
    append(argv, {"--mirrors", std::to_string(settings_.mirrors)});
  }
  if (settings_.redundant()) {
    append(argv, {"--regionsize", kib(settings_.region_bytes)});
  }
  if (settings_.integrity) {
    append(argv, {"--raidintegrity", "y", "--raidintegritymode",
                  settings_.integrity_mode, "--raidintegrityblocksize",
                  settings_.integrity_block_bytes});
  }
  append(argv, {"--extents", std::to_string(extents), "--name", name, group_});
  append(argv, settings_.data_devices);
  return run(argv);
}

std::vector<Argv> Commands::make_upper(const Extents& extents) const {
  if (settings_.pool == Pool::kThin) return make_thin(extents);
  if (settings_.pool == Pool::kVdo) return {make_vdo(extents.volume)};
  if (settings_.cache != Cache::kNone) return make_cache(extents);
  return {};
}

std::vector<Argv> Commands::make_thin(const Extents& extents) const {
  Argv metadata = {"lvcreate", "-y", "--wipesignatures", "y", "--zero", "y"};
  if (settings_.redundant()) {
    // As safe as the data: as many devices may be lost.
    const std::uint32_t copies =
        settings_.parity() != 0 ? settings_.parity() : settings_.mirrors;
    append(metadata, {"--type", "raid1", "--mirrors", std::to_string(copies)});
  } else {
    append(metadata, {"--type", "linear"});
  }
  append(metadata, {"--extents", std::to_string(extents.metadata), "--name",
                    kPoolMetadata, group_});
  return {run(metadata),
          run({"lvconvert", "-y", "--type", "thin-pool", "--poolmetadataspare",
               "n", "--chunksize", kib(settings_.thin_chunk_bytes), "--zero",
               true_or_false(settings_.thin_zero), "--discards",
               settings_.thin_discards, "--poolmetadata", full(kPoolMetadata),
               full(kPool)}),
          run({"lvcreate", "-y", "--type", "thin", "--virtualsize",
               kib(virtual_extents(settings_, extents.volume) *
                   settings_.extent_bytes),
               "--name", kVolume, "--thinpool", kPool, group_})};
}

Argv Commands::make_vdo(std::uint64_t extents) const {
  Argv argv = {
      "lvconvert",
      "-y",
      "--type",
      "vdo-pool",
      "--name",
      kVolume,
      "--compression",
      true_or_false(settings_.vdo_compression),
      "--deduplication",
      true_or_false(settings_.vdo_deduplication),
      "--vdosettings",
      "slab_size_mb=" + mib(settings_.vdo_slab_bytes) +
          " index_memory_size_mb=" + mib(settings_.vdo_index_memory_bytes) +
          " block_map_cache_size_mb=" +
          mib(settings_.vdo_block_map_cache_bytes) +
          " use_sparse_index=" + (settings_.vdo_sparse_index ? "1" : "0")};
  // LVM's own choice is the size of the pool, of which the index alone takes
  // gigabytes. Small, until the pool tells what it can hold.
  append(argv,
         {"--virtualsize", kib(settings_.virtual_percent == 0
                                   ? kSmallVdoExtents * settings_.extent_bytes
                                   : virtual_extents(settings_, extents) *
                                         settings_.extent_bytes)});
  argv.push_back(full(kPool));
  return run(argv);
}

// A pool and not a plain volume for dm-cache: only in a pool does LVM 2.03.31
// keep the policy where it finds it when it activates the cache; otherwise the
// kernel is given "mq", whatever was asked for.
std::vector<Argv> Commands::make_cache(const Extents& extents) const {
  Argv fast = {"lvcreate", "-y", "--extents", std::to_string(extents.cache),
               "--name",   kFast};
  Argv join = {"lvconvert", "-y", "--type"};
  if (settings_.cache == Cache::kWritecache) {
    append(fast, {"--type", "linear", "--wipesignatures", "y", "--zero", "y"});
    append(join, {"writecache", "--cachesettings",
                  "block_size=" + settings_.writecache_block_bytes});
  } else {
    append(fast, {"--type", "cache-pool", "--chunksize",
                  kib(settings_.cache_chunk_bytes), "--poolmetadatasize",
                  kib(extents.metadata * settings_.extent_bytes),
                  "--poolmetadataspare", "n"});
    append(join, {"cache", "--cachemode", settings_.cache_mode, "--cachepolicy",
                  settings_.cache_policy});
  }
  fast.push_back(group_);
  append(fast, settings_.cache_devices);
  for (const std::string& setting : settings_.cache_settings) {
    append(join, {"--cachesettings", setting});
  }
  append(join,
         {settings_.cache == Cache::kWritecache ? "--cachevol" : "--cachepool",
          full(kFast), full(kVolume)});
  std::vector<Argv> steps = {run(fast)};
  // Neither may be in use when they become one.
  if (settings_.cache == Cache::kWritecache) {
    steps.push_back(run({"lvchange", "-an", full(kFast)}));
  }
  steps.push_back(run({"lvchange", "-an", full(kVolume)}));
  steps.push_back(run(join));
  steps.push_back(run({"lvchange", "-ay", full(kVolume)}));
  return steps;
}

Argv Commands::grow_volume(const std::string& extents) const {
  return run({"lvextend", "-y", "--extents", extents, full(kVolume)});
}

Argv Commands::activate() const { return run({"vgchange", "-ay", group_}); }

Argv Commands::deactivate() const { return run({"vgchange", "-an", group_}); }

Argv Commands::remove_group() const {
  return run({"vgremove", "-ff", "-y", group_});
}

Argv Commands::remove_device(const std::string& device) const {
  return isolated({device}, {"pvremove", "-ff", "-y", device});
}

Argv Commands::report_volumes() const {
  return run({"lvs", "--all", "--reportformat", "json", "--units", "b",
              "--nosuffix", "--options", kVolumeFields, group_});
}

Argv Commands::find_group() const {
  return run({"vgs", "--noheadings", "--options", "vg_name", group_});
}

Argv Commands::report_devices() const {
  return run({"pvs", "--all", "--reportformat", "json", "--units", "b",
              "--nosuffix", "--options", kDeviceFields});
}

}  // namespace cowbench::lvm
