#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# core_names.sh SOURCE-DIR
#
# The core names no filesystem, no block layer and no workload, in code,
# comments and messages alike, and includes nothing of theirs. Plugins and
# phases use the SDK and include neither the core nor Boost. (A plugin may use
# header-only libraries of its own choice; exports.sh sees that they stay in.)
set -eu
cd "$1"

names='ext[234]|xfs|btrfs|zfs|zpool|bcachefs|bcache|f2fs|jfs|reiserfs|nilfs2?'
names="$names|ntfs3?|exfat|vfat|erofs|squashfs|overlayfs|stratis|ceph|gluster"
names="$names|mdadm|mdraid|dmraid|lvm2?|luks|cryptsetup|dm[-_]crypt"
names="$names|dm[-_]integrity|integritysetup|veritysetup|vdo|drbd"
names="$names|fio|elbencho|bonnie|iozone|dbench|filebench|sysbench|phoronix"
names="$names|postgres|postgresql|mysql|sqlite|rocksdb|leveldb"
failed=0

# complain WHAT EVIDENCE: nothing to see is no complaint.
complain() {
  [ -n "$2" ] || return 0
  printf 'failed: %s\n%s\n' "$1" "$2"
  failed=1
}
# look PATTERN DIRECTORY...
look() {
  pattern=$1
  shift
  grep -rniE "$pattern" "$@" || [ $? -eq 1 ]
}

edge='[^a-z0-9]'
include='#[[:space:]]*include[[:space:]]*'
concerns=$(find core -mindepth 1 -maxdepth 1 -type d -printf '|%f')

complain 'the core names what only a plugin may know' \
  "$(look "(^|$edge)($names)($edge|\$)" core)"
complain 'the core includes from plugins/ or phases/' \
  "$(look "${include}[<\"]([^>\"]*/)?(plugins|phases)/" core)"
complain 'a plugin includes from the core' \
  "$(look "$include\"([^\"]*/)?(core$concerns)/" plugins phases)"
complain 'a plugin includes Boost or a test framework' \
  "$(look "${include}[<\"](boost|catch2)/" plugins phases)"
[ $failed -ne 0 ] || echo 'the core and the plugins keep apart'
exit $failed
