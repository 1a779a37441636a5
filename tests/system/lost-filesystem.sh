# SPDX-License-Identifier: Apache-2.0
# The filesystem under test is taken away or made read-only: the job ends, says
# so, and writes nothing to the host's own disk.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 mkfs.btrfs
requires_built
new_world

# lose STACK PHASE: runs it, with a phase before and one after.
lose() {
  expect_exit 1 cowbench run "$1" --profile "$tiny" \
    --plugin-dir "$built/plugins" --phases "sound,$2,sparse"
  expect_equal ok "$(phase_outcome sound)"
  expect_equal failed "$(job_outcome)"
  expect_match 'the filesystem under test was lost: ' "$(job_reason)"
}

# expect_stopped_at PHASE WHY: it failed for that reason, and nothing came
# after.
expect_stopped_at() {
  expect_equal failed "$(phase_outcome "$1")"
  expect_match "$2" "$(phase_reason "$1")"
  expect_clean_end
}

expect_clean_end() {
  expect_equal '[]' "$(from_result '.left_over | tostring')"
  expect_valid_results
  expect_nothing_left
}

expect_not_started() {
  expect_equal not-available "$(phase_outcome "$1")"
  expect_match '^not started: the filesystem under test was lost' \
    "$(phase_reason "$1")"
}

# The last run's events.
said_in_log() {
  grep -qF -- "$1" "$(dirname "$(newest_result)")/events.jsonl"
}

# A mount point without its filesystem takes no file. Where no flag can say so,
# the log does.
expect_guarded_mount_point() {
  said_in_log "stray write refused: Operation not permitted" && return
  said_in_log "has no immutable flag" || fail "a stray write got through"
}

for stack in ext4-single btrfs-raid1; do
  it "notices that $stack was unmounted within a phase"
  lose "$stack" unmounting
  expect_not_started sparse
  expect_guarded_mount_point
  expect_stopped_at unmounting 'is no longer mounted'
done

it "notices that the filesystem was unmounted between two phases"
lose ext4-single unmounting-later
expect_equal ok "$(phase_outcome unmounting-later)"
expect_stopped_at sparse 'is no longer mounted'

it "notices that the filesystem became read-only"
lose ext4-single freezing
expect_not_started sparse
said_in_log "stray write refused: Read-only file system" ||
  fail "the phase could still write"
expect_stopped_at freezing 'read-only'
