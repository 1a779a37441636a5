# SPDX-License-Identifier: Apache-2.0
# inside.sh NAME: runs inside/NAME.sh in a fresh guest with blank disks.
# COWBENCH_VM_SLOW says which such tests run, names with blanks between them, or
# "all"; none is the default, as each takes many minutes where guests are
# emulated. COWBENCH_VM_DEADLINE: as in stack.sh.
name=$1
folder=$(cd "$(dirname "$0")" && pwd)
. "$folder/../system/lib.sh" || exit
. "$folder/guest.bash" || exit
requires_turn "${COWBENCH_VM_SLOW:-}" "$name"
requires_guest
requires_built
new_world
tests=$(dirname "$folder")

disks=(--disks 6 --size 512MiB)
[ "$name" != every-stack ] || disks=(--disks 1 --size 64GiB)
echo "In guest $guest:"
# The program's own tree is the guest's /payload.
"$COWBENCH" vm run --state-dir "$state" --kernel "$guest" "${disks[@]}" \
  --share "$tests" -- \
  "COWBENCH_IN_GUEST=1 COWBENCH=/payload/bin/cowbench \
   COWBENCH_TESTS_BUILT=/payload/tests/system bash $folder/inside/$name.sh" &
wait $!
code=$?
expect_nothing_left
exit "$code"
