# SPDX-License-Identifier: Apache-2.0
# bcachefs and what can be in its way. Runs inside a guest, as root, with at
# least four blank disks of 256 MiB or more: it destroys what is on every
# writable disk of the machine.
. "$(dirname "$0")/../../system/lib.sh" || exit
requires_root
requires_tool jq bcachefs wipefs fio keyctl
[ -n "${COWBENCH_IN_GUEST:-}" ] ||
  skip "destroys disks; COWBENCH_IN_GUEST=1 says that this is a throw-away guest"
modprobe bcachefs 2>/dev/null
grep -qw bcachefs /proc/filesystems || skip "this kernel has no bcachefs"
new_world

mapfile -t disks < <(lsblk --noheadings --nodeps --raw --paths \
  --output NAME,TYPE,RO | awk '$2 == "disk" && $3 == 0 { print $1 }')
[ "${#disks[@]}" -ge 4 ] || skip "needs four writable disks"
members=("${disks[@]:0:4}")
one=${members[0]}
# Emulated machines take their time.
command_limit=900
real_bcachefs=$(command -v bcachefs)

# stack NAME OPTIONS: a stack file of this world over four members.
stack() {
  cat >"$world/$1.json" <<END
{
  "name": "$1", "family": "bcachefs", "class": "mirror",
  "summary": "for the tests of bcachefs",
  "members": { "data": { "count": 4 } },
  "layers": [ { "use": "bcachefs", "on": "data",
                "metadata_replicas": 2$2 } ]
}
END
}
stack mirror ', "data_replicas": 2'
stack coded ', "data_replicas": 3, "erasure_code": true'
stack secret ', "data_replicas": 2, "encryption": true'

# job STACK OPTION...: arguments of a short run on the four members.
job() {
  local list
  printf -v list '%s,' "${members[@]}"
  echo run "$world/$1.json" --profile "$tiny" --phases sparse \
    --set phase_time_limit=10min --member "data=${list%,}" "${@:2}"
}

# Superblocks within 4 MiB of either end; tables of them count too.
superblocks_on() {
  { head -c 4M "$1"; tail -c 4M "$1"; } |
    LC_ALL=C grep -aoP '\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf' |
    wc -l
}

expect_no_bcachefs() {
  local disk
  for disk in "${members[@]}"; do
    expect_equal "" "$(wipefs --noheadings "$disk")"
    expect_equal 0 "$(superblocks_on "$disk")"
  done
  expect_nothing_up
}

# What a killed run leaves until it is cleaned up is in the kernel only.
expect_nothing_up() {
  expect_equal "" "$(ls /sys/fs/bcachefs 2>/dev/null)"
  expect_equal "" "$(grep -o 'bcachefs:[0-9a-f-]*' /proc/keys)"
  expect_equal "" "$(grep ' - bcachefs ' /proc/self/mountinfo)"
}

# What the layer says is in effect, of the newest job.
effective() { from_result ".stack.layers[0].effective.$1"; }

# tool_that SUBCOMMAND SHELL-TEXT: a "bcachefs" first in PATH that does this
# for one subcommand and is the real one otherwise.
tool_that() {
  mkdir -p "$world/bin"
  cat >"$world/bin/bcachefs" <<END
#!/bin/sh
[ "\$1" = "$1" ] || exec "$real_bcachefs" "\$@"
$2
END
  chmod 755 "$world/bin/bcachefs"
}
with_tool() { PATH=$world/bin:$PATH "$@"; }

it "measures on a mirror and leaves nothing, backup superblocks included"
expect_exit 0 cowbench $(job mirror)
expect_equal ok "$(job_outcome)"
expect_equal 2 "$(effective data_replicas)"
expect_equal none "$(effective encryption)"
expect_nothing_left
expect_no_bcachefs

it "refuses a member with an old superblock at its end"
bcachefs format --quiet --force "$one" >/dev/null || fail "format $one"
dd if=/dev/zero of="$one" bs=1M count=4 conv=fsync status=none
[ "$(superblocks_on "$one")" -gt 0 ] || fail "there is none at the end"
expect_exit 2 cowbench $(job mirror)
expect_text "$one" bcachefs --wipe
[ "$(superblocks_on "$one")" -gt 0 ] || fail "the superblock is gone"

it "overwrites it when told to, and no old one comes back"
expect_exit 0 cowbench $(job mirror --wipe "$one")
expect_equal ok "$(job_outcome)"
expect_no_bcachefs

it "keeps the passphrase in memory, and the key with the process that mounts"
start_cowbench $(job secret)
passphrase_file() {
  find "$state/run" -path '*/.layers/*' -name passphrase 2>/dev/null
}
passphrase_is_there() { [ -s "$(passphrase_file)" ]; }
eventually passphrase_is_there || fail "no passphrase appeared"
file=$(passphrase_file)
secret=$(cat "$file")
expect_equal 600 "$(stat --format=%a "$file")"
expect_equal tmpfs "$(stat --file-system --format=%T "$file")"
expect_end 0
expect_equal ok "$(job_outcome)"
expect_match 'chacha20' "$(effective encryption)"
[ ! -e "$file" ] || fail "the passphrase is still there"
! grep -rqF -e "$secret" "$results" "$state" || fail "the passphrase was kept"
expect_no_bcachefs

it "says so when the key is not in the keyring, whatever the tool says"
tool_that unlock 'exit 0'
expect_exit 1 with_tool cowbench $(job secret)
expect_match 'keyring lacks the key "bcachefs:' "$(job_reason)"
expect_nothing_left
expect_no_bcachefs

it "says so when the passphrase is wrong"
tool_that unlock "echo wrong | exec $real_bcachefs \"\$@\""
expect_exit 1 with_tool cowbench $(job secret)
expect_match 'unlock the encrypted bcachefs .*incorrect passphrase' \
  "$(job_reason)"
expect_nothing_left
expect_no_bcachefs

it "fails when a requested option is not in effect"
tool_that format "exec $real_bcachefs \"\$@\" --metadata_replicas=1"
# The last one given wins, so this is a tool that ignores what it was told.
expect_exit 1 with_tool cowbench $(job mirror)
expect_match 'metadata_replicas: asked for 2, in effect is 1' "$(job_reason)"
expect_nothing_left
expect_no_bcachefs

# The module that came with the kernel, where another one is in front of it.
plain_module=/lib/modules/$(uname -r)/kernel/fs/bcachefs/bcachefs.ko
it "proves erasure coding where the module has it"
cowbench $(job coded) >"$out" 2>"$err"
cat "$out" "$err" >"$said"
case $(job_outcome) in
  ok) expect_equal 2/4 "$(effective stripes)" ;;
  not-available) expect_match 'CONFIG_BCACHEFS_ERASURE_CODING' "$(job_reason)" ;;
  *) fail "neither proven nor said to be missing: $(job_reason)" ;;
esac
expect_nothing_left
expect_no_bcachefs

if [ -e "$plain_module" ] && grep -q O /sys/module/bcachefs/taint; then
  it "is not available where the module ignores erasure coding"
  rmmod bcachefs || fail "unload the module"
  insmod "$plain_module" || fail "load $plain_module"
  cowbench $(job coded) >"$out" 2>"$err"
  cat "$out" "$err" >"$said"
  expect_equal not-available "$(job_outcome)"
  expect_match 'erasure_code: set, but not in effect.*bcachefs-tools [0-9.]+, kernel ' \
    "$(job_reason)"
  expect_nothing_left
  expect_no_bcachefs
  rmmod bcachefs && modprobe bcachefs || fail "load the first module again"
else
  echo "  not shown: this guest has no second module without erasure coding"
fi

# Kills the program with all its processes when the tool is called: the process
# that assembles, its worker and its supervisor, which are its ancestors.
kill_them='p=$PPID all=
while [ "$(cat /proc/$p/comm)" = cowbench ]; do
  all="$all $p"
  p=$(awk "{ print \$4 }" /proc/$p/stat)
done
kill -KILL $all'

# format: made, not mounted; unlock: the key is being made; fs: mounted.
for subcommand in format unlock fs; do
  it "leaves nothing that clean does not find, killed at bcachefs $subcommand"
  tool_that "$subcommand" "\"$real_bcachefs\" \"\$@\"
$kill_them"
  with_tool cowbench $(job secret) >"$out" 2>"$err"
  cat "$out" "$err" >"$said"
  eventually no_processes || fail "a process lives on"
  [ "$subcommand" != fs ] || grep -q ' - bcachefs ' /proc/self/mountinfo ||
    fail "it was not mounted when it was killed"
  expect_exit 0 cowbench clean
  expect_nothing_left
  expect_no_bcachefs
done
