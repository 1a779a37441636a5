# SPDX-License-Identifier: Apache-2.0
# Pools of ZFS and what can be in their way. Runs inside a guest, as root, with
# at least three blank disks of 256 MiB or more: it destroys what is on every
# writable disk of the machine.
. "$(dirname "$0")/../../system/lib.sh" || exit
requires_root
requires_tool jq zpool zfs zdb blkid wipefs pgrep
[ -n "${COWBENCH_IN_GUEST:-}" ] ||
  skip "destroys disks; COWBENCH_IN_GUEST=1 says that this is a throw-away guest"
modprobe zfs 2>/dev/null
grep -qw zfs /proc/filesystems || skip "this kernel has no ZFS"
new_world

mapfile -t disks < <(lsblk --noheadings --nodeps --raw --paths \
  --output NAME,TYPE,RO | awk '$2 == "disk" && $3 == 0 { print $1 }')
[ "${#disks[@]}" -ge 3 ] || skip "needs three writable disks"
one=${disks[0]} two=${disks[1]} foreign=${disks[2]}
# Emulated machines take their time over partitions.
command_limit=900
real_zpool=$(command -v zpool)
real_zfs=$(command -v zfs)

# stack NAME OPTIONS: a stack file of this world over two members.
stack() {
  cat >"$world/$1.json" <<END
{
  "name": "$1", "family": "zfs", "class": "mirror",
  "summary": "for the tests of zfs",
  "members": { "data": { "count": 2 } },
  "layers": [ { "use": "zfs", "on": "data", "topology": "mirror"$2 } ]
}
END
}
stack plain ''
stack secret ', "encryption": "aes-256-gcm"'
patient_profile "$world/slow.json"

# job STACK PHASES OPTION...: arguments of a run on the two members.
job() {
  echo run "$world/$1.json" --profile "$world/slow.json" --phases "$2" \
    --member "data=$one,$two" "${@:3}"
}

# Trailers of labels, within what either end of a disk and of its first
# partition could hold of them. They end 128 KiB into a label, which begins at a
# multiple of 256 KiB; other blocks of a pool have such a trailer too, and
# without its label nobody finds them.
labels_on() {
  { head -c 4M "$1"; tail -c 10M "$1"; } |
    LC_ALL=C grep -aobP '\x11\x7a\x0c\xb1\x7a\xda\x10\x02' |
    awk -F: '$1 % 262144 == 131072 - 40' | wc -l
}

# expect_pools [NAME...]: these are imported and no other; our two members
# carry nothing.
expect_pools() {
  expect_equal "$*" "$("$real_zpool" list -H -o name | sort | xargs)"
  local disk
  for disk in "$one" "$two"; do
    expect_equal "" "$(wipefs --noheadings "$disk")"
    expect_equal "" "$(lsblk --noheadings --raw --output NAME,TYPE "$disk" |
      grep part)"
    expect_equal 0 "$(labels_on "$disk")"
  done
}

# The calls that tests put in front of the tools: instead NAME <<SCRIPT.
mkdir "$world/bin"
PATH=$world/bin:$PATH
instead() {
  { echo '#!/bin/bash'; cat; } >"$world/bin/$1"
  chmod +x "$world/bin/$1"
}
as_ever() { rm -f "$world/bin/zpool" "$world/bin/zfs"; }

it "measures on a pool and leaves neither pool nor label"
expect_exit 0 cowbench $(job plain sparse)
expect_equal ok "$(job_outcome)"
expect_match "^mirror $one" "$(from_result '.stack.layers[0].effective.topology')"
expect_nothing_left
expect_pools

it "leaves pools of others alone, imported or not"
truncate -s 128M "$world/awake.img"
"$real_zpool" create -O mountpoint=none awake "$world/awake.img" ||
  fail "make a pool"
at_end "$real_zpool" destroy -f awake
"$real_zpool" create -O mountpoint=none asleep "$foreign" || fail "make a pool"
"$real_zpool" export asleep
at_end wipefs --all "$foreign"
before=$("$real_zpool" get -Hp -o value guid,load_guid awake)
expect_exit 0 cowbench $(job plain large-directory)
expect_equal ok "$(job_outcome)"
expect_equal "$before" "$("$real_zpool" get -Hp -o value guid,load_guid awake)"
expect_pools awake
"$real_zpool" import -N asleep || fail "the exported pool is no longer whole"
expect_equal ONLINE "$("$real_zpool" get -H -o value health asleep)"
"$real_zpool" destroy -f asleep
"$real_zpool" labelclear -f "$foreign"1
"$real_zpool" destroy -f awake

it "refuses a member with an old label at its end, and says how to go on"
truncate -s "$(blockdev --getsize64 "$one")" "$world/old.img"
"$real_zpool" create -O mountpoint=none old "$world/old.img" ||
  fail "make a pool"
"$real_zpool" export old
tail -c 512K "$world/old.img" |
  dd of="$one" oflag=seek_bytes conv=fsync status=none \
    seek=$(($(blockdev --getsize64 "$one") - 524288))
rm "$world/old.img"
expect_exit 2 cowbench $(job plain sparse)
expect_text "$one" zfs_member --wipe
[ "$(labels_on "$one")" -gt 0 ] || fail "the label is gone"

it "takes that member once told to, and old labels are gone afterwards"
expect_exit 0 cowbench $(job plain sparse --wipe "$one")
expect_equal ok "$(job_outcome)"
expect_pools

it "refuses a pool's name that is in use, and leaves that pool"
instead zpool <<END
# Somebody takes the name just before it is looked for.
if [ "\$1" = list ] && [ ! -e "$world/taken.img" ]; then
  truncate -s 128M "$world/taken.img"
  "$real_zpool" create -O mountpoint=none "\${@: -1}" "$world/taken.img"
fi
exec "$real_zpool" "\$@"
END
expect_exit 1 cowbench $(job plain sparse)
as_ever
expect_match "has a pool of that name already" "$(job_reason)"
taken=$("$real_zpool" list -H -o name)
expect_pools "$taken"
expect_equal ONLINE "$("$real_zpool" get -H -o value health "$taken")"
"$real_zpool" destroy -f "$taken"
expect_nothing_left

for key in missing wrong; do
  it "fails with a $key key, says so and takes the pool down"
  instead zfs <<END
if [ "\$1" = load-key ]; then
  file=\$("$real_zfs" get -H -o value keylocation "\$2")
  file=\${file#file://}
  [ $key = missing ] && rm "\$file" || head -c 32 /dev/zero >"\$file"
fi
exec "$real_zfs" "\$@"
END
  expect_exit 1 cowbench $(job secret large-directory)
  as_ever
  expect_match "load the key of .*/fs from .*zfs-key" \
    "$(phase_reason large-directory)"
  expect_nothing_left
  expect_pools
done

it "keeps the key out of command lines, state and results"
instead zfs <<END
if [ "\$1" = load-key ]; then
  file=\$("$real_zfs" get -H -o value keylocation "\$2")
  cp "\${file#file://}" "$world/key"
  stat -c '%a %s %T' -f "\${file#file://}" >"$world/key-facts"
  stat -c '%a %s' "\${file#file://}" >>"$world/key-facts"
fi
exec "$real_zfs" "\$@"
END
expect_exit 0 cowbench $(job secret large-directory)
as_ever
expect_match "^600 32$" "$(cat "$world/key-facts")"
expect_match "tmpfs" "$(cat "$world/key-facts")"
expect_equal 32 "$(stat -c %s "$world/key")"
expect_equal aes-256-gcm \
  "$(from_result '.stack.layers[0].effective.encryption')"
key=$(od -An -v -tx1 "$world/key" | tr -d ' \n')
for spelled in "$key" "$(base64 -w0 "$world/key")"; do
  grep -rqF -- "$spelled" "$results" && fail "the key is in the results"
done
rm "$world/key"
expect_pools

# Everything of the job at once, as a power cut would.
kill_all="for pid in \$(pgrep -f '$state'); do kill -KILL \$pid; done"
for command in "zpool create" "zfs create"; do
  for moment in before after; do
    it "killed $moment \"$command\": clean takes it down"
    real=real_${command% *}
    instead "${command% *}" <<END
if [ "\$1" = create ]; then
  [ $moment = after ] && "${!real}" "\$@"
  $kill_all
  exit 1
fi
exec "${!real}" "\$@"
END
    timeout 600 "$COWBENCH" $(job plain sparse --state-dir "$state" \
      --work-dir "$work" --results "$results") >"$said" 2>&1
    as_ever
    expect_exit 0 cowbench clean
    expect_nothing_left
    expect_pools
  done
done

for round in 3 6 9 11; do
  it "killed at entry $round of the ledger: clean takes it down"
  COWBENCH_FAULT_POINT=ledger.appended:$round:parent timeout 600 "$COWBENCH" \
    $(job plain sparse --state-dir "$state" --work-dir "$work" \
      --results "$results") >"$said" 2>&1
  eventually no_processes || fail "the job never ended"
  expect_exit 0 cowbench clean
  expect_nothing_left
  expect_pools
done
