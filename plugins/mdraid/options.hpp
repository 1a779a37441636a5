// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/describe.hpp>

namespace cowbench::mdraid {

constexpr cowbench_option must_be_given(cowbench_option option) {
  option.required = 1;
  return option;
}

inline constexpr cowbench_option kOptions[] = {
    must_be_given(choice("level", nullptr, "raid0|raid1|raid5|raid6|raid10",
                         "RAID level; there is none that all would take.")),
    option(COWBENCH_TYPE_SIZE, "chunk", "512KiB",
           "What lies on one member before the next one's turn; 512 KiB is "
           "the default of mdadm. raid1 has no chunks.",
           4096, 1073741824),
    option(COWBENCH_TYPE_TEXT, "layout", nullptr,
           "Layout as for mdadm --layout. Absent: its default, named always: "
           "n2 for raid10, left-symmetric for raid5 and raid6."),
    choice("metadata", "1.2", "1.0|1.1|1.2",
           "Version of the superblock; 1.2 is the default of mdadm."),
    choice("bitmap", nullptr, "internal|none",
           "Write-intent bitmap. Absent: internal where the level has "
           "redundancy. mdadm leaves it out below 100 GB and takes it above, "
           "and what is measured stands for large arrays."),
    option(COWBENCH_TYPE_SIZE, "bitmap_chunk", "64MiB",
           "What one bit of the bitmap stands for; 64 MiB is the default of "
           "mdadm, which takes others for very large arrays.",
           65536, 4294967296.0),
    choice("consistency_policy", nullptr, "resync|bitmap|ppl",
           "What makes the array consistent after a crash, as mdadm names it. "
           "Absent: bitmap with a bitmap, resync without."),
    choice(
        "initial_sync", "auto", "auto|resync|write-zeroes",
        "How the members come to agree. auto: nothing to do (--assume-clean) "
        "where every one is known to read as zeros, as then parity is zero, "
        "too; otherwise the initial resync is waited for. write-zeroes: "
        "mdadm zeroes the members first."),
    option(COWBENCH_TYPE_TEXT_LIST, "create_arguments", nullptr,
           "Further arguments for mdadm --create, before the devices."),
};
// The modules of single levels are asked for when the level is known.
inline constexpr cowbench_requirement kRequirements[] = {
    tool("mdadm", "mdadm"),
    module("md_mod"),
};

}  // namespace cowbench::mdraid
