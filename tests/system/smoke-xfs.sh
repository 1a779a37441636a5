# SPDX-License-Identifier: Apache-2.0
# The smoke profile on xfs-single: every phase, every figure, every record.
. "$(dirname "$0")/lib.sh" || exit
. "$(dirname "$0")/smoke.bash" || exit
requires_loop
requires_tool jq fio mkfs.xfs
requires_built
new_world
smoke xfs-single xfs xfsprogs 0.9
