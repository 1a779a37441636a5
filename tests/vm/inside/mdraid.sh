# SPDX-License-Identifier: Apache-2.0
# Software RAID and encrypted mappings, and what can be in their way. Runs
# inside a guest, as root: it stops arrays and kills what it started. Members
# are images, so no disk is touched.
. "$(dirname "$0")/../../system/lib.sh" || exit
requires_loop
requires_tool jq mdadm cryptsetup dmsetup mkfs.ext4 mkfs.btrfs fio
[ -n "${COWBENCH_IN_GUEST:-}" ] ||
  skip "stops arrays; COWBENCH_IN_GUEST=1 says that this is a throw-away guest"
new_world
# Emulated machines take their time over udev's part in everything.
command_limit=900
patient_profile "$world/slow.json"
phases="--profile $world/slow.json --phases large-directory"

arrays() { find /sys/block -name 'md*' -printf '%f\n'; }
mappings() { dmsetup ls | grep -v '^No devices found$'; }
expect_no_devices() {
  expect_equal "" "$(arrays)"
  expect_equal "" "$(mappings)"
  expect_nothing_left
}

# intercept TOOL: a program of that name, before the real one in the path,
# that calls the functions before_TOOL and after_TOOL of $world/hooks with the
# arguments. The default: nothing happens.
real_path=$PATH
intercept() {
  mkdir -p "$world/bin"
  : >"$world/hooks"
  cat >"$world/bin/$1" <<END
#!/bin/bash
export PATH=$real_path
world=$world
before_$1() { :; }
after_$1() { :; }
. "\$world/hooks"
before_$1 "\$@"
$1 "\$@"
code=\$?
after_$1 "\$@"
exit \$code
END
  chmod +x "$world/bin/$1"
}
hook() { cat >"$world/hooks"; }
intercept mdadm
intercept cryptsetup
intercept mkfs.ext4
export PATH=$world/bin:$PATH

for stack in ext4-md-raid10 btrfs-raid1-luks ext4-md-raid10-luks; do
  it "stops and starts $stack within a phase, and leaves nothing"
  # shellcheck disable=SC2086
  expect_exit 0 cowbench run "$stack" $phases
  expect_equal ok "$(job_outcome)"
  expect_no_devices
done

it "keeps the key off command lines and out of the results"
# The trace of the last run names the key's file and never its 64 bytes.
expect_equal "" "$(grep -rlE 'keyfile-size.*stdin|--key-file -' "$results")"
grep -rq -- '--key-file' "$results" || fail "no trace of the key's file"

it "takes over an array that was started behind its back"
# As udev does when members appear again: one by one, after our stop.
hook <<'END'
after_mdadm() {
  [ "$1" = --stop ] && [ ! -e "$world/taken" ] || return
  : >"$world/taken"
  local member
  for member in $(losetup --noheadings --output NAME); do
    mdadm --incremental "$member"
  done
  udevadm settle
  mdadm --detail --scan >"$world/taken"
}
END
# shellcheck disable=SC2086
expect_exit 0 cowbench run ext4-md-raid10 $phases
expect_equal ok "$(job_outcome)"
[ -s "$world/taken" ] || fail "nobody started the array behind our back"
grep -rq 'started behind our back as md' "$results" ||
  fail "it was not told that the array was taken over"
expect_no_devices

it "takes down an array whose filesystem cannot be made"
hook <<'END'
before_mkfs.ext4() { exit 1; }
END
# shellcheck disable=SC2086
expect_exit 1 cowbench run ext4-md-raid10 $phases
expect_equal failed "$(job_outcome)"
expect_no_devices

it "refuses a mapping's name that is in use, and leaves that mapping alone"
hook <<'END'
after_cryptsetup() {
  [ "$1" = open ] && [[ ${!#} == *-0 ]] || return
  dmsetup create "${!#%-0}-1" --table "0 8 zero"
}
END
# shellcheck disable=SC2086
expect_exit 1 cowbench run btrfs-raid1-luks $phases
expect_match 'there is a mapping .*-1 already' "$(job_reason)"
expect_match '-crypt-1' "$(mappings)"
expect_equal 1 "$(mappings | wc -l)"
dmsetup remove "$(mappings | cut -f1)"
expect_no_devices

# die_in WHEN TOOL WORD: the whole run is killed there: step, worker and
# supervisor, as a machine's owner might.
die_in() {
  hook <<END
$1_$2() {
  [ "\$1" = "$3" ] || return
  worker=\$(ps -o ppid= -p "\$PPID" | tr -d ' ')
  supervisor=\$(ps -o ppid= -p "\$worker" | tr -d ' ')
  kill -KILL "\$supervisor" "\$worker" "\$PPID"
  sleep 1
}
END
}
for where in "before mdadm --create" "after mdadm --create" \
  "after cryptsetup luksFormat" "after cryptsetup open"; do
  for stack in ext4-md-raid10-luks btrfs-raid1-luks; do
    [[ $where == *mdadm* && $stack == btrfs* ]] && continue
    it "leaves nothing after kill -9 $where of $stack and a clean"
    # shellcheck disable=SC2086
    die_in $where
    # shellcheck disable=SC2086
    cowbench run "$stack" $phases >"$said" 2>&1 && fail "it was not killed"
    : >"$world/hooks"
    eventually no_processes || fail "processes are left"
    expect_exit 0 cowbench clean
    expect_no_devices
  done
done

for version in 0.90 1.0; do
  it "refuses a member with an old label $version at its end"
  loop_over "old-$version-a.img" 256M && a=$loop
  loop_over "old-$version-b.img" 256M && b=$loop
  mdadm --create /dev/md/old --run --level=1 --metadata="$version" \
    --raid-devices=2 --assume-clean "$a" "$b" >"$said" 2>&1 ||
    fail "make the old array"
  mdadm --stop /dev/md/old >"$said" 2>&1 || fail "stop the old array"
  cat >"$world/pair.json" <<'END'
{
  "name": "pair", "family": "ext4", "class": "mirror",
  "summary": "for the tests of mdraid",
  "members": { "data": { "count": 2 } },
  "layers": [ { "use": "mdraid", "on": "data", "level": "raid1" },
              { "use": "ext4", "on": "mdraid" } ]
}
END
  # shellcheck disable=SC2086
  expect_exit 2 cowbench run "$world/pair.json" $phases --member "data=$a,$b"
  expect_text linux_raid_member --wipe "$a" "$b"

  it "waits for the resync of members that were wiped, not blank ($version)"
  # shellcheck disable=SC2086
  expect_exit 0 cowbench run "$world/pair.json" $phases \
    --member "data=$a,$b" --wipe "$a" --wipe "$b"
  expect_equal ok "$(job_outcome)"
  expect_match '^resynced in ' \
    "$(from_result '.stack.layers[0].effective.initial_sync')"
  expect_equal "" "$(wipefs --noheadings "$a" "$b")"
  expect_no_devices
done
