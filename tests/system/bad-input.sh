# SPDX-License-Identifier: Apache-2.0
# A wrong request is refused before anything is touched, with every reason at
# once; what needs no root runs without it.
. "$(dirname "$0")/lib.sh" || exit
requires_tool jq setpriv fio mkfs.ext4 mkfs.btrfs
new_world

# refused CODE TEXT COMMAND ARGUMENT...: ends with that code, says the text,
# and makes nothing.
refused() {
  expect_exit "$1" "${@:3}"
  expect_text "$2"
  expect_nothing_made
}

expect_nothing_made() {
  [ ! -e "$state" ] && [ ! -e "$results" ] && [ ! -e "$work" ] ||
    fail "a folder was made"
}

# refuses TEXT ARGUMENT...: `cowbench run` finds a fault in the request.
refuses() {
  refused 2 "$1" cowbench run "${@:2}"
}

it "suggests the nearest name of what is unknown"
refuses 'did you mean "ext4-single"?' ext5-single
refuses 'did you mean "smoke"?' ext4-single --profile smok
refuses 'did you mean "sparse"?' ext4-single --phases sprse
refuses 'did you mean "sparse"?' ext4-single --skip sprse
refuses 'did you mean "samples"?' ext4-single --set sparse.sampels=3
refuses 'did you mean "data"?' ext4-single --member daat=/dev/null
refuses 'did you mean "--repeat"?' ext4-single --repet 3
refused 2 'did you mean "run"?' cowbench rum ext4-single

it "refuses values that make no sense"
refuses 'no stack was named'
refuses 'was named twice' ext4-single ext4-single
refuses 'at least 1 MiB' ext4-single --member data=/dev/null --member-limit 0
refuses 'expected a whole number' ext4-single --set sparse.samples=x
for number in 0 -1 x 4294967296; do
  refuses repeat ext4-single --repeat "$number"
done
refuses seed ext4-single --seed x
refuses KEY=VALUE ext4-single --set sparse.samples
refuses GROUP=DEVICE ext4-single --member /dev/null
refuses '--member gives none' ext4-single --wipe /dev/null

it "names file, line and place of a stack's faults"
stack=$world/stack.json
printf '{\n  "name": "stack",\n  "family": \n}\n' >"$stack"
refuses "$stack:4:" "$stack"
cat >"$stack" <<'JSON'
{
  "name": "stack",
  "family": 4,
  "class": "singel",
  "summary": "a stack with faults",
  "members": { "data": { "count": "one" } },
  "layers": [ { "use": "ext4", "on": "data", "block_sise": 4096 } ]
}
JSON
refuses "$stack:3: /family:" "$stack"
expect_text "$stack:4: /class: unknown value \"singel\"" \
  "$stack:6: /members/data/count:" "$stack:7: /layers/0/block_sise:"

it "reports the faults of stacks, profile and settings together"
refuses "$stack:3: /family:" "$stack" ext5-single --profile smok
expect_text 'did you mean "ext4-single"?' 'did you mean "smoke"?'
refuses "$stack:3: /family:" "$stack" --set sparse.sampels=3 --set nothing=1
expect_text 'did you mean "samples"?' nothing=1

it "says which layer no plugin offers"
cat >"$stack" <<'JSON'
{
  "name": "stack",
  "family": "other",
  "class": "single",
  "summary": "a stack of a plugin that is not there",
  "members": { "data": { "count": 1 } },
  "layers": [ { "use": "absentfs", "on": "data" } ]
}
JSON
refuses 'no plugin offers a layer "absentfs"' "$stack"

it "names the package of a program that is missing"
mkdir "$world/programs"
without_programs() {
  env PATH="$world/programs" "$COWBENCH" "$1" $(folders_for "$1") "${@:2}"
}
refused 3 'apt-get install fio' \
  without_programs run ext4-single --phases throughput

as_nobody() {
  if [ "$(id -u)" -ne 0 ]; then
    cowbench "$@"
    return
  fi
  setpriv --reuid=65534 --regid=65534 --clear-groups \
    "$COWBENCH" "$1" $(folders_for "$1") "${@:2}"
}
chmod 755 "$world"
if ! as_nobody --version >/dev/null 2>&1; then
  skip "nobody may not read $COWBENCH; all before this passed"
fi

it "refuses to measure without root and says what to do"
refused 3 sudo as_nobody run ext4-single

it "shows the whole plan without root and makes nothing"
expect_exit 0 as_nobody run btrfs-raid1 --profile "$tiny" --dry-run
expect_text 'data0: loop device over a sparse image of 200 MiB' data3 spare0 \
  'mkfs.btrfs' "-d raid1 -m raid1" 'sparse: writes about' \
  'bytes to be written by the workloads' 'space the images can take up' \
  ' free' 'Time: about'
expect_exit 0 as_nobody run btrfs-raid1 --profile "$tiny" --dry-run --json
expect_equal "5 true" "$(jq -r \
  '"\(.stacks[0].members | length) \(.stacks[0].written_bytes > 0)"' "$out")"
expect_nothing_made
