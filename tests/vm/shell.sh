# SPDX-License-Identifier: Apache-2.0
# A guest for a person: what is typed gets there, and it powers off at the end.
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_guest
new_world

it "gives a shell with disks and shared folders, and ends with it"
mkdir "$world/shared"
echo content >"$world/shared/file"
mkfifo "$world/keys"
"$COWBENCH" vm shell --state-dir "$state" --kernel "$guest" --disks 1 \
  --size 64MiB --share "$world/shared" <"$world/keys" >"$out" 2>"$err" &
started=$!
exec 9>"$world/keys"
until_ready grep -q 'root@guest' "$out"
printf 'lsblk -dno SERIAL; cat %s; echo no >%s; exit\r' \
  "$world/shared/file" "$world/shared/file" >&9
expect_end 0
exec 9>&-
grep -q '^data0' "$out" || fail "the disk is not there: $(cat "$out")"
grep -q '^content' "$out" || fail "the folder is not there: $(cat "$out")"
grep -q 'Read-only file system' "$out" || fail "the folder can be written to"
expect_equal content "$(cat "$world/shared/file")"
no_emulator || fail "an emulator is left"
expect_nothing_left
