// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::bcachefs {

inline constexpr const char* kChecksums = "none|crc32c|crc64|xxhash";

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_INTEGER, "replicas", "1",
           "Copies of data and of metadata; 1 is the default of bcachefs "
           "format. With erasure_code one less is how many members may be "
           "lost.",
           1, 4),
    option(COWBENCH_TYPE_INTEGER, "data_replicas", nullptr,
           "Copies of data. Absent: as replicas says.", 1, 4),
    option(COWBENCH_TYPE_INTEGER, "metadata_replicas", nullptr,
           "Copies of metadata. Absent: as replicas says.", 1, 4),
    option(COWBENCH_TYPE_BOOLEAN, "erasure_code", "false",
           "Turn the copies of data into stripes with parity. Off, as by "
           "default: kernels may be built without it."),
    option(COWBENCH_TYPE_BOOLEAN, "encryption", "false",
           "Encrypt data and metadata (ChaCha20/Poly1305) under a random "
           "passphrase. Off, as by default."),
    option(COWBENCH_TYPE_TEXT, "compression", "none",
           "Compression of what is written: none, lz4, gzip:6, zstd:3. Off, as "
           "by default."),
    option(COWBENCH_TYPE_TEXT, "background_compression", "none",
           "Compression to which data are brought later, in the background. "
           "Off, as by default."),
    choice("data_checksum", "crc32c", kChecksums,
           "Checksum of data; crc32c is the default of bcachefs format. "
           "Encryption replaces it by a message authentication code."),
    choice("metadata_checksum", "crc32c", kChecksums,
           "Checksum of metadata; crc32c is the default of bcachefs format."),
    option(COWBENCH_TYPE_SIZE, "block_size", nullptr,
           "Block size. Absent: the devices' own, which is what people get.",
           512, 65536),
    option(COWBENCH_TYPE_SIZE, "btree_node_size", nullptr,
           "Size of btree nodes. Absent: chosen by bcachefs format, no larger "
           "than a bucket.",
           4096, 2097152),
    option(COWBENCH_TYPE_SIZE, "bucket_size", nullptr,
           "Size of buckets. Absent: bcachefs format chooses by the size of "
           "the device.",
           4096, 67108864),
    option(COWBENCH_TYPE_TEXT, "foreground", nullptr,
           "The group to which writes go first. Absent: any member."),
    option(COWBENCH_TYPE_TEXT, "promote", nullptr,
           "The group to which data are copied when read. Absent: none."),
    option(COWBENCH_TYPE_TEXT, "background", nullptr,
           "The group to which data are moved later. Absent: they stay."),
    option(COWBENCH_TYPE_TEXT, "metadata", nullptr,
           "The group on which metadata lie. Absent: any member."),
    option(COWBENCH_TYPE_TEXT_LIST, "durability", nullptr,
           "\"GROUP=N\": a copy on a member of the group counts as N. Absent: "
           "one each; 0 makes a group a mere cache."),
    option(COWBENCH_TYPE_BOOLEAN, "discard", "false",
           "Discard buckets when they become free. Off, as by default."),
    option(COWBENCH_TYPE_TEXT_LIST, "directories", nullptr,
           "\"NAME:data_replicas=1,compression=zstd\": a directory in the root "
           "whose files get these options. None by default."),
    option(COWBENCH_TYPE_TEXT_LIST, "format_arguments", nullptr,
           "Further arguments for bcachefs format, before the devices."),
    option(COWBENCH_TYPE_TEXT, "mount_options", "",
           "Mount options, comma separated. None by default: the kernel's "
           "defaults are what people run."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("bcachefs", "bcachefs-tools"),
    filesystem("bcachefs"),
};

}  // namespace cowbench::bcachefs
