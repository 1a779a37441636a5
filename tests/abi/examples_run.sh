#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples_run.sh PROGRAM SOURCE-DIR WORK-DIR
#
# Runs the examples that examples.sh has built in WORK-DIR: the backend under
# both phases, on a loop device. Exit status 77: not possible here.
set -eu
program=$1 source=$2 work=$3

skip() {
  echo "SKIP: $*"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'running a stack needs root'
[ -x "$program" ] || skip "$program is not built"
losetup --find >/dev/null 2>&1 || skip 'there are no loop devices here'
command -v mkfs.ext2 >/dev/null || skip 'mkfs.ext2 is not installed'

set -- --config-dir "$source/examples" \
  --plugin-dir "$work/minimal-backend-17" \
  --plugin-dir "$work/minimal-phase-17" \
  --plugin-dir "$work/minimal-c-phase-17"
"$program" plugin describe ext2 "$@" | grep org.example.ext2
"$program" run ext2-single --profile minimal "$@" \
  --state-dir "$work/state" --results "$work/results"

results=$(find "$work/results" -name result.json)
for metric in append_p50_ms append_p99_ms rename_ops; do
  grep -q "\"$metric\"" "$results" || {
    echo "failed: no $metric in $results"
    exit 1
  }
done
left=$(find "$work/state" -name '*.img'; losetup --list --noheadings \
  --output BACK-FILE | grep -F "$work" || true)
[ -z "$left" ] || {
  echo "failed: left behind: $left"
  exit 1
}
