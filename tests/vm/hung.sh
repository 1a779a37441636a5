# SPDX-License-Identifier: Apache-2.0
# A guest that stands still costs its job and no more. Minutes of waiting, for
# emulated guests get much patience, so it runs when COWBENCH_VM_SLOW has it
# (see inside.sh).
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_turn "${COWBENCH_VM_SLOW:-}" hung
requires_guest
new_world
command_limit=900

it "ends a guest that does not go on, and says where it stood"
# shellcheck disable=SC2046
start_cowbench $(in_guest --phases throughput) --set phase_time_limit=5s
until_ready events_say '"phase-start"'
# shellcheck disable=SC2046
kill -STOP $(emulators)
expect_end 1
expect_equal failed "$(job_outcome)"
expect_equal interrupted "$(phase_outcome throughput)"
expect_lost_guest '^the guest hangs: it did not end phase throughput within '
