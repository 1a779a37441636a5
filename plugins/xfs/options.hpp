// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::xfs {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_SIZE, "block_size", "4KiB",
           "Block size; 4 KiB is the default of mkfs.xfs and the page size of "
           "most machines.",
           1024, 65536),
    option(COWBENCH_TYPE_SIZE, "inode_size", "512B",
           "Inode size; 512 bytes is the default of mkfs.xfs with checksums.",
           256, 2048),
    option(COWBENCH_TYPE_BOOLEAN, "crc", "true",
           "Checksums of metadata (format version 5), the default since 2015."),
    option(
        COWBENCH_TYPE_BOOLEAN, "reflink", "true",
        "Files may share blocks, the default since xfsprogs 5.1. Needs crc."),
    option(COWBENCH_TYPE_TEXT_LIST, "mkfs_arguments", nullptr,
           "Further arguments for mkfs.xfs, before the device."),
    option(COWBENCH_TYPE_BOOLEAN, "discard", "false",
           "Discard the device when making the filesystem. Off: members are "
           "blank, and real disks take long over it."),
    option(COWBENCH_TYPE_TEXT, "mount_options", "",
           "Mount options, comma separated. None by default: the kernel's "
           "defaults are what people run."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("mkfs.xfs", "xfsprogs"),
    filesystem("xfs"),
};

}  // namespace cowbench::xfs
