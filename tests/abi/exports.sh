#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh PLUGIN-DIR
#
# Every plugin of the directory defines exactly one dynamic symbol, the entry,
# and needs neither Boost nor the core at load time.
set -eu
directory=$1

failed=0 count=0
complain() {
  echo "failed: $*"
  failed=1
}
for plugin in "$directory"/*.so; do
  [ -e "$plugin" ] || break
  count=$((count + 1))
  exported=$(nm --dynamic --defined-only --format=posix "$plugin" |
    cut -d ' ' -f 1 | tr '\n' ' ')
  [ "$exported" = 'cowbench_entry_v0 ' ] ||
    complain "$plugin exports more or less than its entry: $exported"
  needed=$(readelf --dynamic --wide "$plugin" |
    sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  for library in $needed; do
    case $library in
      *boost* | *cowbench*) complain "$plugin needs $library" ;;
    esac
  done
done
echo "$count plugins in $directory"
[ $count -gt 0 ] || complain "no plugin was there to look at"
exit $failed
