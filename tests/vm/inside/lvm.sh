# SPDX-License-Identifier: Apache-2.0
# Volumes of LVM and what can be in their way. Runs inside a guest, as root,
# with at least four blank disks of 256 MiB or more: it destroys what is on
# every writable disk of the machine.
. "$(dirname "$0")/../../system/lib.sh" || exit
requires_root
requires_tool jq lvm dmsetup wipefs mkfs.ext4 fio
[ -n "${COWBENCH_IN_GUEST:-}" ] ||
  skip "destroys disks; COWBENCH_IN_GUEST=1 says that this is a throw-away guest"
new_world

mapfile -t disks < <(lsblk --noheadings --nodeps --raw --paths \
  --output NAME,TYPE,RO | awk '$2 == "disk" && $3 == 0 { print $1 }')
[ "${#disks[@]}" -ge 4 ] || skip "needs four writable disks"
one=${disks[0]} two=${disks[1]} foreign=${disks[2]} other=${disks[3]}
# Emulated machines take their time over udev's part in every mapping.
command_limit=900

# stack NAME OPTIONS: a stack file of this world over two members.
stack() {
  cat >"$world/$1.json" <<END
{
  "name": "$1", "family": "ext4", "class": "single",
  "summary": "for the tests of lvm",
  "members": { "data": { "count": 2 } },
  "layers": [ { "use": "lvm", "on": "data"$2 }, { "use": "ext4", "on": "lvm" } ]
}
END
}
stack plain ''
stack mirror ', "type": "raid1"'
patient_profile "$world/slow.json"

# job STACK PHASES OPTION...: arguments of a run on the two members.
job() {
  echo run "$world/$1.json" --profile "$world/slow.json" --phases "$2" \
    --member "data=$one,$two" "${@:3}"
}

# The machine's own LVM must find nothing of ours, mappings included.
expect_no_lvm() {
  expect_equal "No devices found" "$(dmsetup ls)"
  expect_equal "" "$(lvm pvs --noheadings 2>/dev/null)"
  expect_equal "" "$(wipefs --noheadings "$one" "$two")"
}

it "measures on a volume and leaves nothing"
expect_exit 0 cowbench $(job plain sparse)
expect_equal ok "$(job_outcome)"
expect_equal linear "$(from_result '.stack.layers[0].effective.type')"
expect_nothing_left
expect_no_lvm

it "refuses a member with an old label, and says how to go on"
lvm pvcreate -qq -y "$one" || fail "label $one"
expect_exit 2 cowbench $(job plain sparse)
expect_text "$one" LVM2_member --wipe
lvm pvs "$one" >/dev/null 2>&1 || fail "the label is gone"
lvm pvremove -qq -y "$one"

# name_of_job: the name that the core gives the layer "lvm" of a job: "cb", 48
# bits of the FNV-1a hash of its id, and the layer.
name_of_job() {
  local id=$1 hash=$((0xcbf29ce484222325)) i shift
  for ((i = 0; i < ${#id}; ++i)); do
    hash=$(((hash ^ $(printf '%d' "'${id:i:1}")) * 0x100000001b3))
  done
  printf cb
  for ((shift = 44; shift >= 0; shift -= 4)); do
    printf '%x' $(((hash >> shift) & 15))
  done
  printf -- '-lvm'
}
ledger_is_there() { [ -n "$(ls "$state/ledgers" 2>/dev/null)" ]; }

it "refuses a group whose name is in use, and leaves that one alone"
start_cowbench $(job plain calibration,sparse)
eventually ledger_is_there || fail "the job never started"
ledger=$(ls "$state/ledgers" | head -1)
name=$(name_of_job "${ledger%.jsonl}")
lvm pvcreate -qq -y "$other" 2>/dev/null
lvm vgcreate -qq "$name" "$other" 2>/dev/null
lvm lvcreate -qq -y -l 8 -n theirs "$name" 2>/dev/null ||
  fail "make the foreign group"
expect_end 1
expect_text "volume group \"$name\" is active on this machine"
expect_nothing_left
lvm lvs "$name/theirs" >/dev/null 2>&1 || fail "the foreign group is gone"
lvm vgremove -qq -ff -y "$name" 2>/dev/null
lvm pvremove -qq -ff -y "$other" 2>/dev/null
expect_no_lvm

all_of_them() { pgrep -f "^$COWBENCH " ; }
no_ledger_is_live() {
  cowbench clean --dry-run --json >"$out" 2>"$err" &&
    ! jq -e 'any(.ledgers[]; .live)' "$out" >/dev/null
}
mapping_is_there() { dmsetup ls | grep -q '^cb'; }

it "leaves nothing that clean does not find, killed while LVM works"
start_cowbench $(job mirror sparse)
eventually mapping_is_there || fail "no mapping appeared"
for pid in $(all_of_them); do kill -KILL "$pid" 2>/dev/null; done
wait "$started" 2>/dev/null
eventually no_ledger_is_live || fail "a job lives on"
expect_exit 0 cowbench clean
expect_nothing_left
expect_no_lvm

# Supervisor and worker pass few of these points; the process that assembles
# the stack passes them for each device, the group and the mount.
for point in ledger.appended:{2..5} ledger.before-append:4 \
  ledger.appended:4:parent; do
  it "leaves nothing that clean does not find, killed at $point"
  expect_no_lvm
  COWBENCH_FAULT_POINT=$point cowbench $(job plain sparse) >"$out" 2>"$err"
  cat "$out" "$err" >"$said"
  expect_exit 0 cowbench clean
  expect_nothing_left
  expect_no_lvm
done

it "is not disturbed by a copy of a member on a foreign disk"
start_cowbench $(job plain source-tree)
eventually grep -q " $work\|/dev/mapper/cb" /proc/mounts ||
  fail "nothing was mounted"
dd if="$one" of="$foreign" bs=1M count=8 conv=fsync status=none
before=$(head -c 8M "$foreign" | sha256sum)
expect_end 0
expect_equal ok "$(job_outcome)"
expect_equal "$before" "$(head -c 8M "$foreign" | sha256sum)"
wipefs --all --quiet "$foreign"
expect_no_lvm

it "waits for the first synchronisation that LVM leaves to the background"
# So slow that it cannot be over when lvcreate returns.
limit=$(cat /proc/sys/dev/raid/speed_limit_max 2>/dev/null || echo 200000)
modprobe dm-raid
echo 8000 >/proc/sys/dev/raid/speed_limit_max
at_end sh -c "echo $limit >/proc/sys/dev/raid/speed_limit_max"
expect_exit 0 cowbench $(job mirror sparse --member-limit 200M)
echo "$limit" >/proc/sys/dev/raid/speed_limit_max
expect_equal ok "$(job_outcome)"
expect_equal 100.00 "$(from_result '.stack.layers[0].effective.sync_percent')"
waited=$(from_result '.stack.layers[0].effective.first_sync')
expect_match '^complete after [0-9]+\.[0-9] s$' "$waited"
echo "  $waited"
expect_no_lvm
