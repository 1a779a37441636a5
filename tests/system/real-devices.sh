# SPDX-License-Identifier: Apache-2.0
# Loop devices handed over as if they were disks: used, described, wiped and
# given back.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 mkfs.btrfs wipefs blkid sha256sum addpart delpart
requires_built
new_world

# An extent of a device's content as a checksum. extent DEVICE FROM-MIB MIB
extent() {
  blockdev --flushbufs "$1"
  dd if="$1" bs=1M skip="$2" count="$3" status=none | sha256sum
}

# A superblock of md, version 1.0, which lies at the end. sign_end DEVICE
sign_end() {
  local sectors place octets='' i
  sectors=$(blockdev --getsz "$1")
  place=$(((sectors - 16) & ~7))
  for ((i = 0; i < 8; ++i)); do
    octets+=$(printf '\\x%02x' $((place >> (8 * i) & 255)))
  done
  printf '\xfc\x4e\x2b\xa9\x01\0\0\0' |
    dd of="$1" bs=512 seek="$place" conv=notrunc,fsync status=none
  # The superblock's own place is its field at byte 144.
  printf '%b' "$octets" |
    dd of="$1" bs=1 seek=$((place * 512 + 144)) conv=notrunc,fsync status=none
}

# expect_free DEVICE...: attached still, but nothing uses or marks it.
expect_free() {
  local device name found
  for device in "$@"; do
    name=${device#/dev/}
    losetup "$device" >/dev/null || fail "$device is no longer attached"
    expect_equal '' "$(ls "/sys/block/$name/holders")"
    [ ! -e "/sys/block/$name/${name}p1" ] || fail "$device has a partition left"
    found=$(find /proc/[0-9]*/fd -lname "$device" 2>/dev/null)
    [ -z "$found" ] || fail "$device is still open: $found"
    ! grep -q "^$device " /proc/mounts || fail "$device is still mounted"
    expect_equal '' "$(wipefs --noheadings "$device")"
    blkid --probe "$device" >"$said" && fail "$device carries a signature"
  done
}

# expect_described KIND COUNT: the members of the newest result.
expect_described() {
  expect_equal "$2" "$(from_result ".members | map(select(.kind == \"$1\" and
    (.disk | startswith(\"/dev/loop\")) and .size_bytes > 0 and
    .logical_sector_bytes >= 512 and
    .physical_sector_bytes >= .logical_sector_bytes and
    .nr_requests > 0 and .max_request_kib > 0 and
    (.scheduler | length) > 0 and (.write_cache | length) > 0 and
    (.rotational | type) == \"boolean\" and has(\"model\") and
    has(\"transport\") and .discard_max_bytes != null)) | length")"
}

expect_complete() {
  expect_equal ok "$(job_outcome)"
  expect_equal '[]' "$(from_result '.left_over | tostring')"
  expect_valid_results
  expect_equal '' "$(ls -A "$work" 2>/dev/null)"
}

disks=()
for i in 0 1 2 3 4; do
  loop_over "disk$i" 220M
  disks+=("$loop")
done
first_four=$(IFS=,; echo "${disks[*]:0:4}")
all=$(IFS=,; echo "${disks[*]}")

it "measures on five devices that carried data, and leaves them wiped"
for disk in "${disks[@]}"; do
  mkfs.ext4 -q "$disk"
  sign_end "$disk"
done
expect_equal 2 "$(wipefs --noheadings "${disks[4]}" | wc -l)"
expect_exit 0 cowbench run btrfs-raid1 --profile "$tiny" \
  --phases calibration,sparse --wipe "$all" \
  --member "data=$first_four" --member "spare=${disks[4]}"
expect_complete
expect_described device 5
expect_equal 230686720 "$(from_result '[.members[].size_bytes] | unique[]')"
expect_free "${disks[@]}"

it "calibrates on the first member, for nothing else is below it"
expect_equal ok "$(phase_outcome calibration)"
expect_equal "${disks[0]}" "$(from_result '[.phases[] |
  select(.name == "calibration").metrics[].conditions.place | values] |
  unique[]')"
[ "$(from_result '.phases[] | select(.name == "calibration") |
  .accounting.members[] | select(.name == "data0").write_bytes')" -ge 8388608 ] ||
  fail "data0 was not written"
expect_equal 0 "$(from_result '[.phases[] | select(.name == "calibration") |
  .accounting.members[] | select(.name != "data0").write_bytes] | add')"

it "takes devices without signatures without being told to wipe"
expect_exit 0 cowbench run ext4-single --profile "$tiny" --phases sparse \
  --member "data=${disks[1]}"
expect_complete
expect_described device 1
expect_free "${disks[1]}"

# use_part STACK PHASES LIMIT-MIB ARGUMENT...: with a limit; what lies beyond it
# on each disk stays as it was.
use_part() {
  local before=() disk i stack=$1 phases=$2 limit=$3
  shift 3
  for disk in "${disks[@]}"; do
    yes "$disk is mine" | dd of="$disk" bs=1M seek="$limit" \
      count=$((220 - limit)) iflag=fullblock oflag=direct status=none
    before+=("$(extent "$disk" "$limit" $((220 - limit)))")
  done
  expect_exit 0 cowbench run "$stack" --profile "$tiny" \
    --phases "$phases" --member-limit "${limit}MiB" "$@"
  expect_complete
  for i in "${!disks[@]}"; do
    expect_equal "${before[i]}" \
      "$(extent "${disks[i]}" "$limit" $((220 - limit)))"
  done
  expect_free "${disks[@]}"
}

it "uses no more of a device than allowed"
use_part ext4-single calibration,sparse 200 --member "data=${disks[0]}"
expect_described slice 1
expect_equal 209715200 "$(from_result '.members[0].size_bytes')"

it "uses no more of five devices than allowed"
use_part btrfs-raid1 throughput,sparse 200 --member "data=$first_four" \
  --member "spare=${disks[4]}"
expect_described slice 5
expect_equal 209715200 "$(from_result '[.members[].size_bytes] | unique[]')"

it "cuts a partition, which cannot be cut by the kernel, with a loop device"
addpart "${disks[0]}" 1 2048 430080
at_end delpart "${disks[0]}" 1
part=${disks[0]}p1
expect_exit 0 cowbench run ext4-single --profile "$tiny" --phases sparse \
  --member-limit 200MiB --member "data=$part"
expect_complete
expect_described slice 1
expect_equal loop "$(from_result '.members[0].slice')"
expect_equal 209715200 "$(from_result '.members[0].size_bytes')"
expect_equal "$part" "$(from_result '.members[0].disk')"
expect_equal '' "$(losetup --noheadings --output NAME --associated "$part")"
expect_equal '' "$(wipefs --noheadings "$part")"
