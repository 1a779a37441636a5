# SPDX-License-Identifier: Apache-2.0
# What is shipped and what is written is what the published schemas describe.
# (The other tests check the results that they make.)
. "$(dirname "$0")/lib.sh" || exit
requires_tool jq
requires_built
new_world
configs=$(realpath "$fixtures/../../configs")

it "describes the shipped stacks and profiles"
expect_exit 0 "$built/schema-check" "$configs/schema/stack.schema.json" \
  "$configs"/stacks/*.json
expect_exit 0 "$built/schema-check" "$configs/schema/profile.schema.json" \
  "$configs"/profiles/*.json "$tiny"

it "describes what stored event logs fold to"
count=0
for log in "$fixtures"/results/*/events.jsonl "$fixtures"/results/*.jsonl; do
  [ -e "$log" ] || continue
  expect_exit 0 "$COWBENCH" show --json "$log"
  cp "$out" "$world/result.json"
  expect_exit 0 "$built/schema-check" "$configs/schema/result.schema.json" \
    "$world/result.json"
  count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "there are no stored logs in $fixtures/results"

it "refuses what it does not describe, and says where"
sed 's/"started_at"/"begun_at"/' "$world/result.json" >"$world/broken.json"
expect_exit 1 "$built/schema-check" "$configs/schema/result.schema.json" \
  "$world/broken.json"
expect_text '#/job' required
