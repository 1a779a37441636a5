# SPDX-License-Identifier: Apache-2.0
# The smoke profile on btrfs-raid1: every phase, every figure, every record.
. "$(dirname "$0")/lib.sh" || exit
. "$(dirname "$0")/smoke.bash" || exit
requires_loop
requires_tool jq fio mkfs.btrfs
requires_built
new_world
smoke btrfs-raid1 btrfs btrfs-progs 1.8
