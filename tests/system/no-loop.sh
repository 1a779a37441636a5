# SPDX-License-Identifier: Apache-2.0
# What the machine lacks is named before anything is touched.
. "$(dirname "$0")/lib.sh" || exit
requires_root
requires_tool unshare mkfs.ext4
new_world

# without FILE COMMAND...: FILE is no such thing in a mount namespace of its
# own.
without() {
  unshare --mount --propagation private bash -c \
    'mount --bind /dev/null "$(realpath "$0")" && exec "$@"' "$@"
}

# lacks FILE TEXT: refused with that text, and nothing was made.
lacks() {
  expect_exit 3 without "$1" "$COWBENCH" run $(folders_for run) ext4-single
  expect_text "$2"
  [ ! -e "$state" ] && [ ! -e "$results" ] && [ ! -e "$work" ] ||
    fail "a folder was made"
}

it "names loop devices where the kernel gives none"
[ -e /dev/loop-control ] || skip "there is no /dev/loop-control to hide"
lacks /dev/loop-control /dev/loop-control

it "names the program that is missing and the package that brings it"
lacks "$(command -v mkfs.ext4)" 'apt-get install e2fsprogs'

it "plans all the same, and says at the end what is missing"
expect_exit 3 without "$(command -v mkfs.ext4)" \
  "$COWBENCH" run $(folders_for run) ext4-single --dry-run
expect_text 'commands to set it up' 'apt-get install e2fsprogs'

it "lists in doctor what is missing"
expect_exit 3 without "$(command -v mkfs.ext4)" \
  "$COWBENCH" doctor $(folders_for doctor)
expect_text 'MISSING  ext4' 'apt-get install e2fsprogs'
