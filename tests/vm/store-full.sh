# SPDX-License-Identifier: Apache-2.0
# The host's store fills up below the members' images while a job runs.
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_root
requires_guest
new_world

mkdir "$world/small"
mount -t tmpfs -o size=300m tmpfs "$world/small" || fail "mount a tmpfs"
at_end umount "$world/small"
work=$world/small/work

it "ends the job with the store named, not with errors of the guest"
# shellcheck disable=SC2046
start_cowbench $(in_guest --phases throughput) --set throughput.file_size=64MiB
until_ready events_say '"guest-booted"'
# Somebody else takes what was free when the job was planned.
dd if=/dev/zero of="$world/small/other" bs=1M status=none 2>/dev/null
expect_end 1
expect_equal failed "$(job_outcome)"
expect_lost_guest "^the store of the members' images is full: write below disk data0: No space"
expect_match '--work-dir' "$(job_reason)"
