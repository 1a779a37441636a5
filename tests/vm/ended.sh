# SPDX-License-Identifier: Apache-2.0
# The emulator or its supervisor ended from outside, and Ctrl-C at any time:
# no emulator, no file, and a result that says it.
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_guest
new_world

it "ends at once when it is interrupted while the guest boots"
# shellcheck disable=SC2046
start_cowbench $(in_guest --phases sparse)
until_ready emulator_runs
kill -INT "$started"
begin=$SECONDS
expect_end 130
[ $((SECONDS - begin)) -lt 30 ] || fail "it took $((SECONDS - begin)) s"
expect_equal interrupted "$(job_outcome)"
expect_lost_guest '^interrupted by SIGINT; the guest was still booting'

it "takes the stack down in the guest when a phase is interrupted"
rm -rf "$results"
# shellcheck disable=SC2046
start_cowbench $(in_guest --phases throughput,sparse)
until_ready events_say '"phase-start"'
kill -INT "$started"
expect_end 130
expect_equal interrupted "$(job_outcome)"
expect_equal 'interrupted by SIGINT' "$(job_reason)"
events_say '"step":"teardown","outcome":"ok"' || fail "no teardown"
no_emulator || fail "an emulator is left"
expect_nothing_left

it "costs the job when the emulator is killed"
rm -rf "$results"
# shellcheck disable=SC2046
start_cowbench $(in_guest --phases throughput)
until_ready events_say '"phase-start"'
# shellcheck disable=SC2046
kill -KILL $(emulators)
expect_end 1
expect_equal failed "$(job_outcome)"
expect_equal interrupted "$(phase_outcome throughput)"
expect_lost_guest '^the emulator was ended from outside \(killed by SIGKILL\)'

it "leaves no emulator when the supervisor is killed; clean takes the rest"
rm -rf "$results"
# shellcheck disable=SC2046
start_cowbench $(in_guest --phases sparse)
until_ready emulator_runs
kill -KILL "$started"
wait "$started" 2>/dev/null
eventually no_emulator || fail "the emulator outlived its supervisor"
[ -n "$(ls "$work")" ] || fail "there was nothing to clean"
expect_exit 0 cowbench clean
expect_text 'removed: image' 'removed: folder'
expect_nothing_left
expect_exit 0 cowbench clean
expect_text 'Nothing to clean'
