# SPDX-License-Identifier: Apache-2.0
# Two runs held against each other, as a CI job does.
. "$(dirname "$0")/lib.sh" || exit
requires_tool jq
new_world

# run_of NAME LABEL FACTOR: a run of eight jobs made of the stored log, whose
# stream write bandwidth is 800 and some, times FACTOR.
run_of() {
  local i value
  for i in 1 2 3 4 5 6 7 8; do
    value=$(jq -n "(800 + 5 * $i) * $3")
    mkdir -p "$world/store/$1/job-$i"
    sed -e "s/\"value\":812.5/\"value\":$value/" \
      -e "s/20261130-120000-7f3a/$1/g; s/mirror-a-r1/$1-$i/g" \
      -e "s/:\"fixture\"/:\"$2\"/" \
      "$fixtures/results/ok/events.jsonl" \
      >"$world/store/$1/job-$i/events.jsonl"
  done
}
run_of before old 1
run_of after new 0.9
compare() { "$COWBENCH" compare "$@" --in "$world/store"; }
finding() { jq -r '.pairs[0].metrics[] | select(.key == "seqwrite_mbps")
  | .'"$1" "$out"; }

it "finds no difference between a run and itself"
expect_exit 0 compare before before --fail-on any --json
expect_equal no-difference "$(finding finding)"
expect_equal 0 "$(jq '[.pairs[].metrics[] | select(.finding == "worse" or
  .finding == "better" or .finding == "different")] | length' "$out")"
expect_match '8 of 8 jobs of b are also in a' "$(jq -r '.warnings[]' "$out")"

it "proves a slow-down of 10 % and fails for it"
expect_exit 4 compare before after --fail-on 5%
expect_text 'regression: mirror-a: throughput.seqwrite_mbps: b is 1.11x slower'
expect_exit 0 compare before after --json
expect_equal worse "$(finding finding)"
expect_equal true "$(finding 'ratio.high < 1')"

it "does not fail for less than it was told, nor for an improvement"
expect_exit 0 compare before after --fail-on 15%
expect_exit 0 compare after before --fail-on any
expect_text '1.11x faster'

it "takes runs, labels, stacks and paths, and says when a word is none"
expect_exit 0 compare label=old label=new --format csv
expect_exit 0 compare mirror-a "$world/store/after/job-1"
expect_text 'too few jobs' 'are also in a'
expect_exit 2 compare nothing after
expect_text 'nothing: no such path' 'stack mirror-a' 'run after | before' \
  'label new | old'

it "says everything that is wrong at once"
expect_exit 2 compare nothing --fail-on much --format jsn
expect_text 'give two sides' '--fail-on much' 'did you mean "json"' 'nothing: '
