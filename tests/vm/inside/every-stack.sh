# SPDX-License-Identifier: Apache-2.0
# Every stack that is shipped, set up, used and taken down twice in a row in one
# and the same guest, where nothing of it may be left. Runs inside a guest, as
# root, with one large blank disk, on which the images of the members lie.
. "$(dirname "$0")/../../system/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 dmsetup
[ -n "${COWBENCH_IN_GUEST:-}" ] ||
  skip "destroys disks; COWBENCH_IN_GUEST=1 says that this is a throw-away guest"
new_world
command_limit=900
patient_profile "$world/slow.json"

disk=/dev/disk/by-id/virtio-data0
[ -b "$disk" ] || skip "needs the disk $disk"
mkfs.ext4 -q "$disk" || fail "make a filesystem for the images"
mkdir "$world/work"
mount "$disk" "$world/work" || fail "mount $disk"
at_end umount "$world/work"

# What the kernel still has of any stack.
remains() {
  find /sys/block -name 'md*' -printf 'array %f\n'
  dmsetup ls | grep -v '^No devices found$'
  losetup --noheadings --output NAME,BACK-FILE
  ls /sys/fs/bcachefs 2>/dev/null
  grep -o 'bcachefs:[0-9a-f-]*' /proc/keys
  zpool list -H -o name 2>/dev/null
  grep -E ' - (zfs|bcachefs|btrfs|xfs|f2fs) ' /proc/self/mountinfo
}

# member_size STACK: 512 MiB, or what it needs at least.
member_size() {
  jq -r '.min_size // "512MiB" | if test("^[0-9]+MiB$") and
    (sub("MiB"; "") | tonumber) < 512 then "512MiB" else . end' "$1"
}

failed=0
for file in "${COWBENCH%/bin/*}"/share/cowbench/stacks/*.json; do
  stack=$(basename "$file" .json)
  it "sets $stack up and takes it down twice, and leaves nothing"
  for round in 1 2; do
    rm -rf "$results"
    timeout "$command_limit" "$COWBENCH" run "$stack" --phases sparse \
      --profile "$world/slow.json" --set "member_size=$(member_size "$file")" \
      --state-dir "$state" --work-dir "$work" --results "$results" \
      >"$said" 2>&1 </dev/null
    outcome=$(job_outcome 2>/dev/null)
    left=$(remains)
    [ "$outcome" = ok ] && [ -z "$left" ] && continue
    # The others are of interest too.
    failed=$((failed + 1))
    echo "FAILED: $stack, round $round: $outcome $(job_reason 2>/dev/null)"
    echo "$left" | sed 's/^/  left: /'
    tail -n 3 "$said" | sed 's/^/    /'
  done
done
[ "$failed" -eq 0 ] || fail "$failed rounds failed"
