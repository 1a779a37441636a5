// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::btrfs {

inline constexpr const char* kProfileNames =
    "single|dup|raid0|raid1|raid1c3|raid1c4|raid10|raid5|raid6";

inline constexpr cowbench_option kOptions[] = {
    choice("data", "single", kProfileNames,
           "Profile of data; single is the default of mkfs.btrfs."),
    choice("metadata", "dup", kProfileNames,
           "Profile of metadata and system chunks; dup is the default of "
           "mkfs.btrfs on one device. Given always, for it depends on the "
           "number of devices otherwise."),
    choice("checksum", "crc32c", "crc32c|xxhash|sha256|blake2",
           "Checksum algorithm; crc32c is the default of mkfs.btrfs."),
    option(COWBENCH_TYPE_SIZE, "node_size", "16KiB",
           "Size of tree nodes; 16 KiB is the default of mkfs.btrfs.", 4096,
           65536),
    option(COWBENCH_TYPE_SIZE, "sector_size", "4KiB",
           "Smallest unit of data; 4 KiB mounts on every machine.", 4096,
           65536),
    option(COWBENCH_TYPE_TEXT, "compress", "no",
           "As for the mount option: no, zstd:1, lzo, zlib:3. Off, as mounted "
           "without options."),
    option(COWBENCH_TYPE_TEXT_LIST, "mkfs_arguments", nullptr,
           "Further arguments for mkfs.btrfs, before the devices."),
    option(COWBENCH_TYPE_BOOLEAN, "discard", "false",
           "Discard the devices when making the filesystem. Off: members are "
           "blank, and real disks take long over it."),
    option(COWBENCH_TYPE_TEXT, "mount_options", "",
           "Further mount options, comma separated. None by default: the "
           "kernel's defaults are what people run."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("mkfs.btrfs", "btrfs-progs"),
    filesystem("btrfs"),
};

}  // namespace cowbench::btrfs
