# SPDX-License-Identifier: Apache-2.0
# Scores of published results.
. "$(dirname "$0")/lib.sh" || exit
requires_tool jq
new_world

# document RUN FS LAYOUT VALUE: one published document with one metric.
document() {
  mkdir -p "$world/runs/$1"
  jq -n --arg fs "$2" --arg layout "$3" --argjson value "$4" '{
    schema_version: 5, fs: $fs, layout: $layout, kernel: "6.1",
    version: "1", date: "2026-09-20T00:00:00Z", devices: "loop",
    results: { seqwrite_mbps: $value } }' >"$world/runs/$1/result-$2-$3.json"
}
document 1 ext4 single 100
document 1 btrfs single 300

it "holds each configuration against the median of all"
expect_exit 0 "$COWBENCH" score "$world/runs" --json
expect_equal '[["btrfs/single",1.5],["ext4/single",0.5]]' \
  "$(jq -c '[.rows[] | [.configuration, .ratios.seqwrite_mbps]]' "$out")"
expect_equal '["1"]' "$(jq -c .runs "$out")"

it "finds the runs below a folder, and prints tables"
for format in text markdown csv; do
  expect_exit 0 "$COWBENCH" score "$world" --format "$format"
  expect_text btrfs/single ext4/single
done

it "names what it cannot read, and goes on"
echo '{' >"$world/runs/1/result-broken.json"
expect_exit 1 "$COWBENCH" score "$world/runs"
expect_text result-broken.json ext4/single

it "says everything that is wrong at once"
expect_exit 2 "$COWBENCH" score "$world/state" --model none --format jsn
expect_text 'score/none.json' 'no published results below it' 'did you mean "json"'
expect_exit 2 "$COWBENCH" score "$world/runs" --cohort none
expect_text '--cohort none' 'classic' 'family:<name>'
