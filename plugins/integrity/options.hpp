// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::integrity {

inline constexpr cowbench_option kOptions[] = {
    choice("algorithm", "crc32c", "crc32c|crc32|sha1|sha256",
           "Checksum; crc32c is the default of integritysetup."),
    option(COWBENCH_TYPE_INTEGER, "tag_size", "4",
           "Bytes of checksum kept for a sector; 4 is all of a crc32c.", 1, 64),
    option(COWBENCH_TYPE_SIZE, "sector_size", "4KiB",
           "Unit of checksums. 4 KiB instead of the default of 512 bytes: a "
           "block of a filesystem then has one checksum and not eight.",
           512, 4096),
    choice("mode", "journal", "journal|bitmap|direct",
           "How data and checksum stay together over a crash: written twice "
           "through a journal (the default), recalculated where a bitmap says "
           "so, or not at all."),
    choice("initialise", "wipe", "wipe|recalculate",
           "How first checksums come about; reading what has none fails. wipe "
           "writes zeros all over, as integritysetup does, and makes sparse "
           "images whole; recalculate reads what is there."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("integritysetup", "cryptsetup-bin"),
    tool("dmsetup", "dmsetup"),
    tool("dd", "coreutils"),
    module("dm_integrity"),
};

}  // namespace cowbench::integrity
