// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::luks {

inline constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_TEXT, "cipher", "aes-xts-plain64",
           "Cipher as for cryptsetup; this is its default."),
    option(COWBENCH_TYPE_INTEGER, "key_size", "512",
           "Bits of the volume key; 512 makes it AES-256 in XTS mode, the "
           "default of cryptsetup.",
           128, 1024),
    option(COWBENCH_TYPE_SIZE, "sector_size", "4KiB",
           "Unit of encryption. 4 KiB, which cryptsetup takes on disks with "
           "such sectors; given always, as it depends on the disk otherwise.",
           512, 4096),
    choice("hash", "sha256", "sha256|sha512",
           "Hash of the key derivation; sha256 is the default."),
    option(COWBENCH_TYPE_INTEGER, "pbkdf_iterations", "1000",
           "Rounds of pbkdf2. The least that cryptsetup takes: the key is "
           "random, a costly derivation would only take time and memory, and "
           "none of it lies within what is measured.",
           1000, 10000000),
    option(COWBENCH_TYPE_BOOLEAN, "allow_discards", "false",
           "Pass discards on. Off, the default of cryptsetup: they show which "
           "blocks are in use."),
    option(COWBENCH_TYPE_BOOLEAN, "no_read_workqueue", "false",
           "Decrypt at once instead of in a work queue. Off, the kernel's "
           "default."),
    option(COWBENCH_TYPE_BOOLEAN, "no_write_workqueue", "false",
           "Encrypt at once instead of in a work queue. Off, the kernel's "
           "default."),
};
inline constexpr cowbench_requirement kRequirements[] = {
    tool("cryptsetup", "cryptsetup-bin"),
    tool("dmsetup", "dmsetup"),
    module("dm_crypt"),
};

}  // namespace cowbench::luks
