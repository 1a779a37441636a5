# SPDX-License-Identifier: Apache-2.0
# Images go only where they can grow to their worst case, and a store in
# memory is called one.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4
new_world

# in_memory SIZE: images lie on a tmpfs of that size.
in_memory() {
  mkdir "$world/memory-$1"
  mount -t tmpfs -o "size=$1" tmpfs "$world/memory-$1" || fail "mount a tmpfs"
  at_end umount "$world/memory-$1"
  work=$world/memory-$1/work
}

it "refuses a store that is too small and tells the numbers"
in_memory 2m
expect_exit 3 cowbench run ext4-single --profile "$tiny" --phases sparse
expect_text 'not enough space' ext4-single 'in memory' 'has 2 MiB free' \
  --work-dir
expect_nothing_left
[ ! -e "$results" ] || fail "a result was made"

it "counts what the filesystem itself takes, not only what is written"
in_memory 10m
expect_exit 3 cowbench run ext4-single --profile "$tiny" --phases sparse
expect_text 'not enough space'

it "measures on a store in memory and says so in the result"
in_memory 300m
expect_exit 0 cowbench run ext4-single --profile "$tiny" --phases sparse
expect_text 'IN MEMORY'
expect_equal ok "$(job_outcome)"
expect_equal true "$(from_result '.members[0].backing.memory_backed')"
expect_nothing_left
