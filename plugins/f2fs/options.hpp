// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::f2fs {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_TEXT_LIST, "features", nullptr,
           "Features as for mkfs.f2fs -O. None by default, as made without "
           "options; compression brings the two that it needs."),
    option(COWBENCH_TYPE_INTEGER, "segments_per_section", "1",
           "Segments of 2 MiB in a section, the unit of cleaning; 1 is the "
           "default of mkfs.f2fs.",
           1, 4096),
    option(COWBENCH_TYPE_NUMBER, "overprovision_percent", "0",
           "Space kept for cleaning; 0: chosen by mkfs.f2fs by the size of "
           "the device.",
           0, 90),
    option(COWBENCH_TYPE_TEXT, "compress", "no",
           "Compression of all new files: no, lzo, lz4, lz4:6, zstd:3, "
           "lzo-rle. Off, as by default. F2FS keeps the space that it saves "
           "reserved for the file."),
    option(COWBENCH_TYPE_BOOLEAN, "discard", "false",
           "Discard the device when making the filesystem. Off: members are "
           "blank, and real disks take long over it."),
    option(COWBENCH_TYPE_TEXT_LIST, "mkfs_arguments", nullptr,
           "Further arguments for mkfs.f2fs, before the device."),
    option(COWBENCH_TYPE_TEXT, "mount_options", "",
           "Further mount options, comma separated. None by default: the "
           "kernel's defaults are what people run."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("mkfs.f2fs", "f2fs-tools"),
    filesystem("f2fs"),
};

}  // namespace cowbench::f2fs
