// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::zfs {

// Of the pool, the same for both layers.
inline constexpr cowbench_option kPoolOptions[] = {
    choice("topology", "stripe",
           "stripe|mirror|raidz1|raidz2|raidz3|draid1|draid2|draid3",
           "What the devices of the data groups are to each other. stripe: no "
           "redundancy, also for a single device."),
    option(COWBENCH_TYPE_INTEGER, "width", "0",
           "Devices in each mirror, raidz or draid; several stand side by "
           "side. 0: all in one.",
           0, 255),
    option(COWBENCH_TYPE_INTEGER, "draid_data", "0",
           "Data devices of a draid group. 0: all but parity and spares.", 0,
           255),
    option(COWBENCH_TYPE_INTEGER, "draid_spares", "0",
           "Distributed spares of a draid.", 0, 100),
    option(COWBENCH_TYPE_TEXT, "special", nullptr,
           "Group for metadata and small blocks. None by default."),
    option(COWBENCH_TYPE_BOOLEAN, "special_mirror", "true",
           "Mirror the special group: losing it loses the pool."),
    option(COWBENCH_TYPE_TEXT, "log", nullptr,
           "Group for synchronous writes. None by default: the log lies among "
           "the data."),
    option(COWBENCH_TYPE_BOOLEAN, "log_mirror", "false",
           "Mirror the log group. Off: it is read only after a crash."),
    option(COWBENCH_TYPE_TEXT, "cache", nullptr,
           "Group for the second-level read cache. None by default."),
    option(COWBENCH_TYPE_INTEGER, "ashift", "12",
           "Binary logarithm of the least unit of allocation. 4 KiB, stated, "
           "because zpool would take what each disk claims.",
           9, 16),
    choice("autotrim", "off", "on|off",
           "Discard freed space while running. Off, as in zpool."),
    option(COWBENCH_TYPE_TEXT_LIST, "pool_properties", nullptr,
           "Further \"name=value\" for zpool create -o; read back as well."),
};

// Of the dataset or volume, the same for both layers.
inline constexpr cowbench_option kDatasetOptions[] = {
    option(COWBENCH_TYPE_TEXT, "compression", "lz4",
           "Compression of data, with its level. lz4 is what \"on\" means in "
           "zfs since 2.2, where it became the default; stated."),
    choice("checksum", "fletcher4",
           "on|off|fletcher2|fletcher4|sha256|sha512|skein|edonr|blake3",
           "Checksum of data. fletcher4 is what \"on\" means; stated."),
    choice("sync", "standard", "standard|always|disabled",
           "When a synchronous write is answered. standard, as POSIX asks."),
    choice("encryption", "off",
           "off|aes-128-ccm|aes-192-ccm|aes-256-ccm|aes-128-gcm|aes-192-gcm|"
           "aes-256-gcm",
           "Native encryption, with a random key of 32 bytes that only memory "
           "holds. Off, as in zfs."),
    option(COWBENCH_TYPE_TEXT_LIST, "dataset_properties", nullptr,
           "Further \"name=value\" for zfs create -o; read back as well."),
};

inline constexpr cowbench_option kFilesystemOptions[] = {
    option(COWBENCH_TYPE_SIZE, "recordsize", "128KiB",
           "Largest block of a file; 128 KiB is the default of zfs.", 512,
           16777216),
    choice("atime", "on", "on|off",
           "Times of access, as in zfs; relatime makes it what other "
           "filesystems do."),
    choice("relatime", "on", "on|off",
           "Keep times of access only once a day or after a change, as in zfs "
           "and as the kernel does elsewhere."),
    choice("xattr", "sa", "sa|dir|on|off",
           "Where extended attributes lie. In the inode, which zfs recommends; "
           "stated, as \"on\" does not mean the same in each release."),
    choice("dnodesize", "legacy", "legacy|auto|1k|2k|4k|8k|16k",
           "Size of an inode; legacy is 512 bytes, the default of zfs."),
    option(COWBENCH_TYPE_SIZE, "special_small_blocks", "0",
           "Blocks up to this size go to the special group too. None, as in "
           "zfs.",
           0, 16777216),
    option(COWBENCH_TYPE_TEXT, "mount_options", "",
           "Mount options, comma separated. None by default: zfs keeps its "
           "own as properties."),
};

inline constexpr cowbench_option kVolumeOptions[] = {
    option(COWBENCH_TYPE_SIZE, "volblocksize", "16KiB",
           "Block size of the volume; 16 KiB is the default of zfs since 2.2.",
           512, 16777216),
    option(COWBENCH_TYPE_INTEGER, "percent_of_pool", "75",
           "Size of the volume in percent of what the pool can hold. The rest "
           "is for what rewriting leaves behind: a full pool is slow.",
           1, 100),
    option(COWBENCH_TYPE_BOOLEAN, "sparse", "true",
           "No refreservation: space is taken as blocks are written."),
    choice("volmode", "default", "default|full|geom|dev",
           "How the system sees the volume; default, as in zfs."),
};

inline constexpr cowbench_requirement kRequirements[] = {
    tool("zpool", "zfsutils-linux"), tool("zfs", "zfsutils-linux"),
    tool("blkid", "util-linux"),     tool("wipefs", "util-linux"),
    filesystem("zfs", "zfs-dkms"),
};

// One table out of several.
template <std::size_t size>
struct OptionTable {
  cowbench_option items[size];
};
template <std::size_t a, std::size_t b, std::size_t c>
constexpr OptionTable<a + b + c> joined(const cowbench_option (&first)[a],
                                        const cowbench_option (&second)[b],
                                        const cowbench_option (&third)[c]) {
  OptionTable<a + b + c> table{};
  std::size_t end = 0;
  for (const cowbench_option& option : first) table.items[end++] = option;
  for (const cowbench_option& option : second) table.items[end++] = option;
  for (const cowbench_option& option : third) table.items[end++] = option;
  return table;
}

inline constexpr auto kZfsOptions =
    joined(kPoolOptions, kDatasetOptions, kFilesystemOptions);
inline constexpr auto kZvolOptions =
    joined(kPoolOptions, kDatasetOptions, kVolumeOptions);

}  // namespace cowbench::zfs
