# SPDX-License-Identifier: Apache-2.0
# A phase that never ends is caught in the act, described, ended and passed.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4
requires_built
new_world

# expect_stall PHASE TEXT...: it failed as stalled, and its evidence says each
# of these.
expect_stall() {
  local phase=$1 text file
  shift
  expect_equal failed "$(phase_outcome "$phase")"
  expect_match '^stalled: still running after its limit of 3 s' \
    "$(phase_reason "$phase")"
  expect_match "evidence in raw/stall-$phase\\.txt" "$(phase_reason "$phase")"
  file=$(dirname "$(newest_result)")/raw/stall-$phase.txt
  [ -s "$file" ] || fail "$file is missing or empty"
  for text in "$@"; do
    grep -q -- "$text" "$file" || fail "$file does not say: $text"
  done
}

it "ends a phase that heeds nothing, and one whose program heeds nothing"
start=$SECONDS
expect_exit 1 cowbench run ext4-single --profile "$tiny" \
  --plugin-dir "$built/plugins" --phases deaf,waiting,sound \
  --set phase_time_limit=3s
took=$((SECONDS - start))
expect_stall deaf '^thread [0-9]*' '^wchan: ' '^stack:' \
  '^data0 (/dev/loop[0-9]*): .*written'
expect_stall waiting '^wchan: ' '^Process [0-9]*: .*sh' '^data0 '
expect_equal ok "$(phase_outcome sound)"
expect_equal failed "$(job_outcome)"
expect_equal '2 phases failed' "$(job_reason)"

it "is bounded in time"
# Twice the limit and the grace before force, and as much again for a slow
# machine.
[ "$took" -lt 90 ] || fail "it took $took s"

it "leaves nothing behind"
expect_equal '[]' "$(from_result '.left_over | tostring')"
expect_valid_results
expect_nothing_left
