#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# choose-stacks.sh [COUNT]: prints the stacks that a budgeted check runs in
# guests: some of plugins that the last commits changed, one of each family that
# is not among those, and some that rotate with the commit, so that every
# stack's turn comes. Those with members of 1 GiB and more take too long for any
# budget where guests are emulated. Needs jq and git.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-8}

commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
turn=$((16#${commit:0:7}))

# stacks_of JQ-CONDITION: names, rotated so that each commit begins elsewhere.
stacks_of() {
  jq -r "select($1) | select(.min_size // \"\" |
    test(\"GiB|[0-9]{4}MiB\") | not) | .name" configs/stacks/*.json | sort |
    awk -v turn="$turn" '{ name[NR] = $0 }
      END { for (i = 0; i < NR; ++i) print name[(turn + i) % NR + 1] }'
}

# The first of each family, in the order of the suites: mostly redundant over
# several members, and known to work, so that a fault is a new one.
first_of_families() {
  jq -r '.stacks[]' configs/suites/published-26.json \
    configs/suites/extended.json | while read -r stack; do
    jq -r '[.name, .family] | @tsv' "configs/stacks/$stack.json"
  done | awk '!seen[$2]++ { print $1 }'
}

# Of plugins that were changed; at most four, as the families have their right.
changed_plugins() {
  git diff --name-only HEAD~10 HEAD -- plugins 2>/dev/null | cut -d/ -f2 |
    grep -v CMakeLists | sort -u | while read -r plugin; do
    stacks_of "any(.layers[]; .use == \"$plugin\")" | head -1
  done | awk '!seen[$0]++' | head -4
}

family_of() { jq -r .family "configs/stacks/$1.json"; }

mapfile -t chosen < <(changed_plugins || true)
covered=" $(for stack in "${chosen[@]}"; do family_of "$stack"; done | xargs) "
for stack in $(first_of_families); do
  [[ $covered == *" $(family_of "$stack") "* ]] || chosen+=("$stack")
done
{
  [ ${#chosen[@]} -eq 0 ] || printf '%s\n' "${chosen[@]}"
  stacks_of "true"
} | awk '!seen[$0]++' | head -n "$count"
