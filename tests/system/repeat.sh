# SPDX-License-Identifier: Apache-2.0
# Several stacks, several times: a seeded order, and reports over all of it.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 mkfs.btrfs
requires_built
new_world

stacks="ext4-single btrfs-single"
# order_of SEED: the jobs that a run would have, with their seeds.
order_of() {
  # shellcheck disable=SC2086
  cowbench run $stacks --profile "$tiny" --phases sparse --repeat 6 \
    --seed "$1" --dry-run --json |
    jq -c '.jobs[] | [.stack, .repetition, .seed]'
}

it "orders the jobs by the seed, and only by it"
first=$(order_of 7)
expect_equal 12 "$(wc -l <<<"$first")"
expect_equal "$first" "$(order_of 7)"
[ "$first" != "$(order_of 8)" ] || fail "two seeds gave the same"
expect_equal '["btrfs-single","ext4-single"]' \
  "$(jq -sc 'map(.[0]) | unique' <<<"$first")"
# Each repetition has every stack, and the same work for all of them.
expect_equal '[[2,1]]' "$(jq -sc 'group_by(.[1]) |
  map([length, (map(.[2]) | unique | length)]) | unique' <<<"$first")"

it "runs every stack as often as asked, on fresh members"
# shellcheck disable=SC2086
expect_exit 0 cowbench run $stacks --profile "$tiny" --phases sparse \
  --repeat 2 --seed 7 --label twice
run=$(echo "$results"/*)
expect_equal 4 "$(find "$run" -name result.json | wc -l)"
expect_equal "$(jq -c . <<<"$first" | head -4)" "$(find "$run" -name result.json -print0 |
  xargs -0 jq -c '[.run.order, .job.stack, .job.repetition, .run.seed]' |
  sort -t, -k1.2n | jq -c '.[1:]')"
expect_valid_results
expect_nothing_left

it "reports medians with their range"
expect_exit 0 "$COWBENCH" report "$results"
expect_match 'Extend an empty file .*\([0-9.]+-[0-9.]+, n=2\)' "$(cat "$said")"
expect_text twice 'ext4-single 2' 'btrfs-single 2'
cp "$said" "$world/report.txt"

it "reports as Markdown, CSV and JSON"
expect_exit 0 "$COWBENCH" report --format markdown "$results"
expect_match '^\|.*ext4-single.*\|$' "$(cat "$said")"
expect_exit 0 "$COWBENCH" report --format csv "$results"
expect_match 'sparse_create_ms' "$(cat "$out")"
# A header and a row for each stack and figure, all of one width.
expect_equal 5 "$(wc -l <"$out")"
expect_equal 1 "$(awk -F, '{ print NF }' "$out" | sort -u | wc -l)"
expect_exit 0 "$COWBENCH" report --format json "$results"
jq -e . "$out" >/dev/null || fail "it is no JSON"
expect_exit 0 "$COWBENCH" report --json "$results"
jq -e . "$out" >/dev/null || fail "it is no JSON"

it "reports where the time went"
expect_exit 0 "$COWBENCH" report --overhead "$results"
expect_text ext4-single btrfs-single %

it "shows one result in full"
expect_exit 0 "$COWBENCH" show "$run/ext4-single-r1"
expect_text ext4-single 'Phase sparse: ok' 'Extend an empty file' data0

it "makes the same result from the event log again"
for job in "$run"/*-r[12]; do
  mv "$job/result.json" "$world/kept.json"
  expect_exit 0 "$COWBENCH" show --json "$job"
  cmp "$out" "$world/kept.json" >&2 || fail "$job folds to another result"
done
expect_exit 0 "$COWBENCH" report "$results"
cmp "$out" "$world/report.txt" >&2 || fail "the report changed"
