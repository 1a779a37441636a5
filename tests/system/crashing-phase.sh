# SPDX-License-Identifier: Apache-2.0
# A plugin that ends its process or throws costs what it was doing, and nothing
# that was measured before or is measured after.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4
requires_built
new_world
# Crashes are meant here; their memory is of no use.
ulimit -c 0

# figure_outcome PHASE KEY
figure_outcome() {
  from_result ".phases[] | select(.name == \"$1\") | .metrics[] |
    select(.key == \"$2\") | .outcome"
}

# expect_cost PHASE TEXT: the phase failed for that reason and kept what it had
# emitted.
expect_cost() {
  expect_equal failed "$(phase_outcome "$1")"
  expect_match "$2" "$(phase_reason "$1")"
  expect_equal ok "$(figure_outcome "$1" before)"
  expect_equal failed "$(figure_outcome "$1" after)"
}

it "goes on after phases that crash, exit or throw"
expect_exit 1 cowbench run ext4-single --profile "$tiny" \
  --plugin-dir "$built/plugins" \
  --phases sound,aborting,segfaulting,exiting,throwing,sparse
expect_cost aborting SIGABRT
expect_cost segfaulting SIGSEGV
expect_cost exiting 'exit status 0'
expect_cost throwing 'exception of unknown type'
for phase in sound sparse; do
  expect_equal ok "$(phase_outcome "$phase")"
done
expect_equal ok "$(figure_outcome sound after)"
expect_equal failed "$(job_outcome)"
expect_equal '4 phases failed' "$(job_reason)"
expect_valid_results
expect_nothing_left

mkdir -p "$world/config/stacks"
# stack_that_crashes_in CALLBACK
stack_that_crashes_in() {
  cat >"$world/config/stacks/crashing.json" <<JSON
{
  "name": "crashing",
  "family": "crashing",
  "class": "single",
  "summary": "its backend crashes",
  "members": { "data": { "count": 1 } },
  "layers": [
    {
      "use": "crashing",
      "on": "data",
      "crash_in": "$1",
      "why": { "crash_in": "the test is about it" }
    }
  ]
}
JSON
}

it "takes down what a crashing backend leaves, and keeps what was measured"
stack_that_crashes_in assemble
expect_exit 1 cowbench run crashing --profile "$tiny" \
  --plugin-dir "$built/plugins" --config-dir "$world/config" \
  --phases calibration,sparse
expect_equal failed "$(job_outcome)"
expect_match '^assemble: .*SIGSEGV' "$(job_reason)"
expect_equal ok "$(phase_outcome calibration)"
expect_equal not-available "$(phase_outcome sparse)"
expect_match '^not started: assemble: .*SIGSEGV' "$(phase_reason sparse)"
expect_valid_results
expect_nothing_left

it "refuses a backend that crashes while it plans, and makes nothing"
stack_that_crashes_in plan
rm -rf "$results" "$state" "$work"
expect_exit 2 cowbench run crashing --profile "$tiny" \
  --plugin-dir "$built/plugins" --config-dir "$world/config"
expect_text SIGSEGV
[ ! -e "$results" ] || fail "a result was made"
expect_nothing_left
