# SPDX-License-Identifier: Apache-2.0
# Devices that carry data or are in use are refused, with every reason at
# once, before anything is touched.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 mkfs.btrfs mkswap swapon sha256sum wipefs
new_world

# mounted DEVICE NAME: at the folder of that name.
mounted() {
  mkdir "$world/$2" && mount "$1" "$world/$2" || fail "mount $1"
  at_end umount "$world/$2"
}

# array_superblock FILE: as a member of a software array carries it, version
# 1.0, 8 KiB before the end.
array_superblock() {
  local offset=$(($(stat -c %s "$1") - 8192))
  local sector=$((offset / 512)) bytes='' i
  for ((i = 0; i < 8; ++i)); do
    bytes+=$(printf '\\x%02x' $((sector >> (8 * i) & 255)))
  done
  printf '\xfc\x4e\x2b\xa9\x01\x00\x00\x00' |
    dd of="$1" bs=1 seek="$offset" conv=notrunc status=none
  printf "$bytes" |
    dd of="$1" bs=1 seek=$((offset + 144)) conv=notrunc status=none
}

loop_over mounted.img 64M
in_mount=$loop
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$in_mount"
mounted "$in_mount" mounted

loop_over first.img 128M
first=$loop
loop_over second.img 128M
second=$loop
mkfs.btrfs -q "$first" "$second" >/dev/null 2>&1
mounted "$first" pair

loop_over swap.img 64M
swap=$loop
mkswap "$swap" >/dev/null && swapon "$swap" || fail "swap on $swap"
at_end swapoff "$swap"

loop_over start.img 64M
at_start=$loop
mkfs.ext4 -q -L precious "$at_start"
wipefs "$at_start" | grep -q ext4 || fail "no signature at the start"

truncate -s 64M "$world/end.img"
array_superblock "$world/end.img"
loop_over end.img 64M
at_end_only=$loop
wipefs "$at_end_only" | grep -q raid_member || fail "no signature at the end"

loop_over blank.img 64M
blank=$loop
ln -s "$blank" "$world/alias"
loop_over small.img 1M
small=$loop
loop_over locked.img 64M --read-only
locked=$loop
echo text >"$world/file"

# A stack over as many members as are given.
members=("$in_mount" "$second" "$swap" "$at_start" "$at_end_only" "$blank"
  "$world/alias" "$small" "$locked" "" /dev/null "$world/file"
  "$world/absent")
stack=$world/stack.json
cat >"$stack" <<JSON
{
  "name": "stack",
  "family": "btrfs",
  "class": "mirror",
  "summary": "as many members as there are reasons to refuse one",
  "min_size": "16MiB",
  "members": { "data": { "count": ${#members[@]} } },
  "layers": [
    { "use": "btrfs", "on": "data", "data": "raid1", "metadata": "raid1" }
  ]
}
JSON

contents() {
  sync -f "$world/mounted" && sync -f "$world/pair"
  sha256sum "$world"/*.img
}

member_list() {
  local IFS=,
  echo "data=${members[*]}"
}

before=$(contents)

it "tells all reasons at once"
expect_exit 2 cowbench run "$stack" --profile "$tiny" \
  --member "$(member_list)" --wipe "$first"
expect_text "$in_mount (data): mounted on $world/mounted" \
  "$second (data): opened exclusively" \
  "$swap (data): in use as swap" \
  "$at_start (data): carries data (ext4 at byte" 'label "precious"' \
  "$at_end_only (data): carries data (linux_raid_member at byte" \
  "$world/alias (data): is the same device as $blank" \
  "$small (data): has 1 MiB, the member needs 16 MiB" \
  "$locked (data): is read-only" \
  "an empty device name" \
  "/dev/null (data): " "$world/file (data): " "$world/absent (data): " \
  "--wipe $first: is not one of the devices"
expect_no_text "$blank (data): carries"

it "refuses in the plan, too"
expect_exit 2 cowbench run "$stack" --profile "$tiny" \
  --member "$(member_list)" --dry-run
expect_text "$swap (data): in use as swap"

it "does not take --wipe for leave to use what is in use"
for device in "$in_mount" "$swap" "$second"; do
  expect_exit 2 cowbench run ext4-single --profile "$tiny" \
    --member "data=$device" --wipe "$device"
  expect_text "$device (data): "
done

it "refuses a device that is smaller than the stack allows"
expect_exit 2 cowbench run btrfs-single --profile "$tiny" \
  --member "data=$small" --phases sparse
expect_text "$small (data): has 1 MiB, the member needs 128 MiB"

it "refuses a device that is too small for its filesystem"
sed '/"min_size"/d; s/"btrfs-single"/"any-size"/' \
  "$fixtures/../../configs/stacks/btrfs-single.json" >"$world/any-size.json"
expect_exit 2 cowbench run "$world/any-size.json" --profile "$tiny" \
  --member "data=$small" --phases sparse
expect_text "$small has 1048576 bytes" "phase sparse needs 4 MiB"

it "refuses too few, too many and other groups' devices"
expect_exit 2 cowbench run ext4-single --member "data=$blank,$small"
expect_text 'needs 1 members in group data, 2 were given'
expect_exit 2 cowbench run btrfs-raid1 --member "data=$blank"
expect_text 'needs 4 members in group data, 1 were given' \
  'group spare of stack btrfs-raid1 got no devices'

it "has changed nothing on any of them"
expect_equal "$before" "$(contents)"
expect_nothing_left
[ ! -e "$results" ] || fail "a result was made"
