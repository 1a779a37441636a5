// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::ext4 {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_SIZE, "block_size", "4KiB",
           "Block size. Given always: mkfs.ext4 silently takes 1 KiB for "
           "devices below 512 MiB.",
           1024, 65536),
    option(COWBENCH_TYPE_SIZE, "inode_size", "256B",
           "Inode size; 256 bytes is mkfs.ext4's own default.", 128, 65536),
    option(COWBENCH_TYPE_SIZE, "bytes_per_inode", "16KiB",
           "One inode for so many bytes of the device. Given always: "
           "mkfs.ext4 takes 4 KiB for small devices; 16 KiB is its default "
           "otherwise.",
           1024, 67108864),
    option(COWBENCH_TYPE_TEXT_LIST, "features", nullptr,
           "Features as for mkfs.ext4 -O, \"^name\" to switch one off. None by "
           "default: the distribution's choice is what people run."),
    option(COWBENCH_TYPE_TEXT_LIST, "extended_options", nullptr,
           "Further words for mkfs.ext4 -E, such as stride=16."),
    option(COWBENCH_TYPE_TEXT_LIST, "mkfs_arguments", nullptr,
           "Further arguments for mkfs.ext4, before the device."),
    option(COWBENCH_TYPE_BOOLEAN, "lazy_itable_init", "false",
           "Leave inode tables to be zeroed after mounting. Off, because the "
           "kernel would then write to the device during measurements."),
    option(COWBENCH_TYPE_BOOLEAN, "lazy_journal_init", "false",
           "Leave the journal unwritten. Off, because its blocks would be "
           "allocated below the filesystem during measurements."),
    option(COWBENCH_TYPE_BOOLEAN, "discard", "false",
           "Discard the device when making the filesystem. Off: members are "
           "blank, and real disks take long over it."),
    option(COWBENCH_TYPE_TEXT, "mount_options", "",
           "Mount options, comma separated. None by default: the kernel's "
           "defaults are what people run."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("mkfs.ext4", "e2fsprogs"),
    tool("dumpe2fs", "e2fsprogs"),
    filesystem("ext4"),
};

}  // namespace cowbench::ext4
