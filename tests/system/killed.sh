# SPDX-License-Identifier: Apache-2.0
# kill -9 at any point, of supervisor, worker, a step or several: the next
# clean removes exactly what the ledger holds, a foreign loop device beside it
# stays, a second clean finds nothing, and the result says what happened.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 fio pgrep
new_world

seed=${COWBENCH_TEST_SEED:-$((SECONDS + $$))}
RANDOM=$seed
echo "seed $seed; give COWBENCH_TEST_SEED=$seed to see the same again"

loop_over foreign.img 16M
foreign=$loop
mkfs.ext4 -q "$foreign"
mkdir "$world/foreign"
mount "$foreign" "$world/foreign" || fail "mount the foreign device"
at_end umount "$world/foreign"
echo untouched >"$world/foreign/file"

# start_job PHASES OPTION...: in the background, as $parent's child; what it
# meets may kill that, too.
start_job() {
  : >"$out" >"$err" >"$said"
  rm -rf "$results"
  (
    "$COWBENCH" run $(folders_for run) ext4-single --profile "$tiny" \
      --phases "$@" >"$out" 2>"$err"
    true
  ) 2>/dev/null &
  parent=$!
}

# Processes of this world, told by their command line.
supervisors() { pgrep -f "^$COWBENCH run --state-dir $state "; }
workers() { pgrep -f "internal-worker [0-9]+ $state/"; }
both() {
  supervisors
  workers
}
job_is_told() {
  [ -n "$(find "$results" -name events.jsonl -size +0 2>/dev/null)" ]
}

# The generator with four processes that write.
four_generators() {
  [ "$(pgrep -cf "^fio .*$results/.*randwrite4\.json")" -ge 4 ]
}

kill_now() {
  local pid
  for pid in $("$@"); do kill -KILL "$pid" 2>/dev/null; done
  true
}

# clean, once nobody holds the ledger: it undoes what a dry run said.
clean_when_dead() {
  expect_exit 0 cowbench clean --dry-run --json
  jq -e 'any(.ledgers[]; .live) | not' "$out" >/dev/null || return 1
  announced=$(jq -S '[.ledgers[].removed[]] | sort' "$out")
  expect_exit 0 cowbench clean --json
  removed=$(jq '[.ledgers[].removed[]] | length' "$out")
  expect_equal "$announced" \
    "$(jq -S '[.ledgers[] | .removed[], .absent[]] | sort' "$out")"
}

# expect_clean_end OUTCOMES: whatever is left of the job of start_job, clean
# removes it and nothing else; the job's log, where there is one, folds to one
# of these outcomes.
expect_clean_end() {
  local log outcome=none
  wait "$parent" 2>/dev/null
  eventually clean_when_dead || fail "the job never ended"
  expect_nothing_left
  expect_exit 0 cowbench clean
  expect_text 'Nothing to clean'
  expect_equal "$world/foreign.img" \
    "$(losetup --noheadings --output BACK-FILE "$foreign")"
  expect_equal untouched "$(cat "$world/foreign/file")"
  log=$(find "$results" -name events.jsonl -size +0 2>/dev/null)
  if [ -n "$log" ]; then
    expect_exit 0 cowbench show --json "${log%/*}"
    outcome=$(jq -r .job.outcome "$out")
  fi
  echo "  $removed removed by clean, outcome $outcome"
  [[ " $1 " == *" $outcome "* ]] || fail "the outcome is \"$outcome\""
}

points=(ledger.before-append ledger.appended ledger.before-strike
  ledger.struck)
for round in {1..12}; do
  # In turn, so that every point is met; how often it is passed before is
  # drawn. The supervisor makes the first entry, the worker the next, a step
  # begins at one again.
  point=${points[round % 4]}:$((RANDOM % 7 + 1))
  [ $((RANDOM % 3)) -eq 0 ] && point+=:parent
  it "killed at $point (seed $seed, round $round)"
  export COWBENCH_FAULT_POINT=$point
  start_job sparse
  wait "$parent" 2>/dev/null
  unset COWBENCH_FAULT_POINT
  # The supervisor's own entry comes before the job's first event.
  expect_clean_end "none failed interrupted"
done

victims=(supervisors workers both)
for round in {1..8}; do
  victim=${victims[round % 3]}
  delay=0.$(printf '%03d' $((RANDOM % 1000)))
  it "$victim killed $delay s after the job's first event (seed $seed, round $round)"
  start_job sparse --set sparse.samples=200
  eventually job_is_told || fail "the job never started"
  sleep "$delay"
  kill_now "$victim"
  expect_clean_end "failed interrupted"
done

for victim in "${victims[@]}"; do
  it "$victim killed while four jobs of the generator write"
  start_job throughput --set throughput.runtime=3s
  eventually four_generators || fail "no generator was started"
  kill_now "$victim"
  expect_clean_end "failed interrupted"
done
