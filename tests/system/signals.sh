# SPDX-License-Identifier: Apache-2.0
# Ctrl-C and SIGTERM at any moment: the result is there and says interrupted,
# what was measured before is kept, and everything is taken down.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 fio
new_world

# Long enough that every phase is met while it works.
long=(--set sparse.samples=2000 --set member_size=1GiB
  --set source-tree.files=20000
  --set source-tree.directories=200 --set large-directory.files=60000
  --set interactivity.idle_time=20s --set interactivity.load_time=20s)

# interrupted SIGNAL EVENT PHASES OPTION...: a job of these phases gets the
# signal as soon as an event contains that text.
interrupted() {
  local signal=$1 event=$2 phases=$3 code=130
  [ "$signal" = TERM ] && code=143
  rm -rf "$results"
  start_cowbench run ext4-single --profile "$tiny" --events \
    --phases "$phases" "${@:4}"
  expect_event "$event"
  kill -"$signal" "$started"
  expect_end "$code"
  expect_nothing_left
  expect_equal interrupted "$(job_outcome)"
  job_reason >"$said"
  expect_text "SIG$signal"
}

phase_started() {
  echo "\"phase\":\"$1\""
}

for signal in INT TERM; do
  it "SIG$signal while members are made"
  interrupted "$signal" '"step":"prepare"' sparse "${long[@]}"
  expect_equal interrupted "$(phase_outcome sparse)"

  it "SIG$signal while the stack is built"
  interrupted "$signal" '"step":"assemble"' sparse "${long[@]}"
  expect_equal interrupted "$(phase_outcome sparse)"

  it "SIG$signal before the stack, in calibration"
  interrupted "$signal" "$(phase_started calibration)" calibration,sparse
  expect_equal interrupted "$(phase_outcome calibration)"
  expect_equal interrupted "$(phase_outcome sparse)"

  for phase in throughput interactivity source-tree large-directory; do
    it "SIG$signal in $phase keeps what was measured before"
    interrupted "$signal" "$(phase_started $phase)" "sparse,$phase" "${long[@]:2}"
    expect_equal interrupted "$(phase_outcome $phase)"
    expect_equal ok "$(phase_outcome sparse)"
    expect_equal number \
      "$(from_result '.phases[] | select(.name == "sparse")
        | .metrics[] | select(.key == "sparse_create_ms") | .value | type')"
  done

  it "SIG$signal in sparse"
  interrupted "$signal" "$(phase_started sparse)" sparse "${long[@]}"
  expect_equal interrupted "$(phase_outcome sparse)"
done

it "a signal ends the whole run, not only its job"
rm -rf "$results"
start_cowbench run ext4-single --profile "$tiny" --phases sparse --repeat 3 \
  --events
expect_event '"type":"phase-start"'
kill -INT "$started"
expect_end 130
expect_equal 1 "$(find "$results" -name result.json | wc -l)"
expect_nothing_left
