# SPDX-License-Identifier: Apache-2.0
# The smoke profile on ext4-single: every phase, every figure, every record.
. "$(dirname "$0")/lib.sh" || exit
. "$(dirname "$0")/smoke.bash" || exit
requires_loop
requires_tool jq fio mkfs.ext4
requires_built
new_world
smoke ext4-single ext4 e2fsprogs 0.9
