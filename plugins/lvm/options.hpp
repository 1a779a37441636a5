// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::lvm {

inline constexpr cowbench_option kOptions[] = {
    choice("type", "linear", "linear|striped|raid0|raid1|raid5|raid6|raid10",
           "How the volume, or the pool below it, lies on the devices; linear "
           "is LVM's own default."),
    option(COWBENCH_TYPE_INTEGER, "stripes", nullptr,
           "Devices that data is striped over, without those of parity and of "
           "copies. Left out: as many as there are devices for.",
           1, 128),
    option(COWBENCH_TYPE_SIZE, "stripe_size", "64KiB",
           "What goes to one device before the next; 64 KiB is LVM's default.",
           4096, 1073741824),
    option(COWBENCH_TYPE_INTEGER, "mirrors", "1",
           "Copies besides the first, for raid1 and raid10; 1 is LVM's "
           "default.",
           1, 9),
    option(COWBENCH_TYPE_SIZE, "region_size", "2MiB",
           "What one bit of an array's write-intent log stands for; 2 MiB is "
           "LVM's default.",
           4096, 1073741824),
    option(COWBENCH_TYPE_BOOLEAN, "raid_integrity", "false",
           "A checksum for every block of each device of an array, so that it "
           "knows which copy is the good one. Off, as in LVM."),
    choice("raid_integrity_mode", "journal", "journal|bitmap",
           "How checksums and data are kept in step; journal is LVM's "
           "default."),
    choice("raid_integrity_block_size", "512", "512|1024|2048|4096",
           "Bytes under one checksum; 512 is LVM's default on disks with such "
           "sectors."),
    option(COWBENCH_TYPE_SIZE, "extent_size", "4MiB",
           "Unit of allocation of the group; 4 MiB is LVM's default.", 131072,
           4294967296),
    option(COWBENCH_TYPE_INTEGER, "volume_percent", "100",
           "Share of every device that the volume takes, with all that "
           "protects it; the rest stays free in the group, for old-style "
           "snapshots.",
           1, 100),
    choice("pool", "none", "none|thin|vdo",
           "What provides the volume: the layout itself, or a thin or a VDO "
           "pool on it."),
    option(COWBENCH_TYPE_INTEGER, "virtual_percent", nullptr,
           "Size that a volume from a pool claims to have, as a share of the "
           "pool's data. Left out: what the pool can hold without savings.",
           1, 10000),
    option(COWBENCH_TYPE_SIZE, "thin_chunk_size", "64KiB",
           "Unit of thin provisioning and of sharing with snapshots; 64 KiB "
           "is LVM's default for small pools.",
           65536, 1073741824),
    option(COWBENCH_TYPE_BOOLEAN, "thin_zero", "true",
           "Zero a chunk when it is provisioned; on, as in LVM."),
    choice("thin_discards", "passdown", "passdown|nopassdown|ignore",
           "What a discard does to the pool and below; passdown is LVM's "
           "default."),
    option(COWBENCH_TYPE_SIZE, "thin_metadata_size", nullptr,
           "Left out: twice the 64 bytes that a chunk takes, and 8 MiB at "
           "least, so that snapshots have room; a full one stops the pool.",
           2097152, 17000000000),
    choice("cache", "none", "none|writethrough|writeback|writecache",
           "A cache on devices of their own: dm-cache in one of two modes, or "
           "dm-writecache."),
    option(COWBENCH_TYPE_TEXT, "cache_group", "fast",
           "The name in the layer's \"on\" whose devices hold the cache; the "
           "others hold the volume."),
    option(COWBENCH_TYPE_SIZE, "cache_chunk_size", "64KiB",
           "Unit of dm-cache; 64 KiB is LVM's default for small caches.", 32768,
           1073741824),
    choice("cache_policy", "smq", "smq|cleaner",
           "What dm-cache keeps; smq is LVM's default."),
    choice("writecache_block_size", "4096", "512|4096",
           "Bytes of a block of dm-writecache; 4096, the filesystems' block."),
    option(COWBENCH_TYPE_TEXT_LIST, "cache_settings", nullptr,
           "Further settings of the cache, as for lvconvert --cachesettings, "
           "such as migration_threshold=2048."),
    option(COWBENCH_TYPE_BOOLEAN, "vdo_compression", "true",
           "Compress in the VDO pool; on, as in LVM."),
    option(COWBENCH_TYPE_BOOLEAN, "vdo_deduplication", "true",
           "Deduplicate in the VDO pool; on, as in LVM."),
    option(COWBENCH_TYPE_SIZE, "vdo_slab_size", "2GiB",
           "Unit in which VDO allocates; at least one must fit beside the "
           "index. 2 GiB is LVM's default.",
           134217728, 34359738368),
    option(COWBENCH_TYPE_SIZE, "vdo_index_memory_size", "256MiB",
           "Memory of the deduplication index, which takes ten times as much "
           "of the pool; 256 MiB is the least, and LVM's default.",
           268435456, 1099511627776),
    option(COWBENCH_TYPE_BOOLEAN, "vdo_sparse_index", "false",
           "Index ten times as many blocks in the same memory; off, as in "
           "LVM."),
    option(COWBENCH_TYPE_SIZE, "vdo_block_map_cache_size", "128MiB",
           "Memory for the map from logical to physical blocks; 128 MiB is "
           "the least, and LVM's default.",
           134217728, 17592186044416),
};

// What a pool, a cache or checksums need besides is looked for when the layer
// is assembled, because most configurations do without.
inline constexpr cowbench_requirement kRequirements[] = {
    tool("lvm", "lvm2"),
    tool("dmsetup", "dmsetup"),
    tool("blkid", "util-linux"),
    module("dm_mod"),
};

}  // namespace cowbench::lvm
