# SPDX-License-Identifier: Apache-2.0
# A guest that is not there, never boots, or panics costs its job and no more.
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_guest
requires_built
new_world
command_limit=800

it "names the command that builds a guest where there is none"
mkdir "$world/empty"
# shellcheck disable=SC2046
expect_exit 3 cowbench $(in_guest) --cache-dir "$world/empty"
expect_text 'cowbench vm build'
# shellcheck disable=SC2046
expect_exit 125 cowbench $(in_guest) --cache-dir "$world/empty" --bisect
[ ! -e "$results" ] || fail "a result was made"

it "names the package that brings QEMU where there is none"
# shellcheck disable=SC2046
expect_exit 3 env PATH=/nonexistent /usr/bin/timeout 60 "$COWBENCH" \
  $(in_guest) --state-dir "$state" --work-dir "$work" --results "$results"
expect_text 'qemu-system-x86_64' 'qemu-system-x86'
# shellcheck disable=SC2046
expect_exit 129 env PATH=/nonexistent /usr/bin/timeout 60 "$COWBENCH" \
  $(in_guest) --state-dir "$state" --work-dir "$work" --results "$results" \
  --bisect

it "refuses devices and options that make no sense in a guest"
# shellcheck disable=SC2046
expect_exit 2 cowbench $(in_guest) --member data=/dev/null
expect_text 'disks of its own'
expect_exit 2 cowbench run ext4-single --kernel "$guest" --guest-cpus 2
expect_text '--kernel: goes with --vm' '--guest-cpus: goes with --vm'
# shellcheck disable=SC2046
expect_exit 129 cowbench $(in_guest) --accel qemu --bisect
expect_text '--accel qemu'

it "ends a guest that never boots and says what is known"
# The guest as it is, but for a kernel that is none.
cache=$("$COWBENCH" vm list --json | jq -r '.guests[0].cache')
mkdir -p "$world/broken/guests/$guest"
head -c 1000000 /dev/urandom >"$world/broken/vmlinuz"
jq \
  '.vmlinuz = "vmlinuz" |
   reduce ("initrd", "root", "modules") as $part (.;
     .[$part] = "cache/" + .[$part])' \
  "$cache/guests/$guest/guest.json" >"$world/broken/guests/$guest/guest.json"
ln -s "$cache" "$world/broken/cache"
# shellcheck disable=SC2046
expect_exit 1 cowbench $(in_guest --phases sparse) --boot-limit 20s \
  --accel tcg --cache-dir "$world/broken"
expect_equal failed "$(job_outcome)"
expect_equal null "$(from_result .guest.boot_ns)"
expect_lost_guest '^the guest never booted: '
# shellcheck disable=SC2046
expect_exit 125 cowbench $(in_guest --phases sparse) --boot-limit 20s \
  --accel tcg --cache-dir "$world/broken" --bisect

it "boots an emulated guest that panics in boot once more, and keeps both logs"
head -c 1048576 /dev/zero >"$world/broken/initrd"
jq '.vmlinuz = "cache/" + $good | .initrd = "initrd"' \
  --arg good "$(jq -r .vmlinuz "$cache/guests/$guest/guest.json")" \
  "$world/broken/guests/$guest/guest.json" >"$world/guest.json"
mv "$world/guest.json" "$world/broken/guests/$guest/guest.json"
# shellcheck disable=SC2046
expect_exit 1 cowbench $(in_guest --phases sparse) --accel tcg \
  --cache-dir "$world/broken"
expect_lost_guest "^the guest's kernel panicked: "
raw=$(dirname "$(newest_result)")/raw
grep -q 'Kernel panic' "$raw/guest-console-1.txt" ||
  fail "the first console was not kept"
expect_match 'booted once more' "$(from_result '.log[].text')"

it "keeps what a panicking guest had measured, and names the panic"
# shellcheck disable=SC2046
expect_exit 1 cowbench $(in_guest) --plugin-dir "$built/plugins" \
  --phases sound,panicking,sparse
expect_lost_guest \
  "^the guest's kernel panicked: sysrq triggered crash; its console is in raw"
expect_equal failed "$(job_outcome)"
expect_equal ok "$(phase_outcome sound)"
expect_equal interrupted "$(phase_outcome panicking)"
expect_equal failed "$(phase_outcome sparse)"
[ -s "$(dirname "$(newest_result)")/raw/guest-kernel.txt" ] ||
  fail "the kernel's log was not kept"
expect_valid_results

it "runs a command in a guest and ends as it does"
expect_exit 7 timeout "$command_limit" "$COWBENCH" vm run \
  --state-dir "$state" --kernel "$guest" --disks 2 --size 64MiB -- \
  'lsblk -dno SERIAL,SIZE | sort; cowbench --version; exit 7'
expect_text data0 data1 64M 'cowbench 0'
expect_nothing_left

it "tells of a panic in a command"
expect_exit 1 timeout "$command_limit" "$COWBENCH" vm run \
  --state-dir "$state" --kernel "$guest" -- 'echo c >/proc/sysrq-trigger'
expect_text "the guest's kernel panicked: sysrq triggered crash"
expect_nothing_left
