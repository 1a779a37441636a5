#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# headers.sh COMPILER STANDARD SDK-INCLUDE-DIR GENERATED-INCLUDE-DIR
#
# Every header of the SDK compiles alone, pedantically: the C headers as any
# standard, the C++ headers as C++ only. Exit status 77: no such compiler.
set -eu
compiler=$1 standard=$2 include=$3 generated=$4

if ! command -v "$compiler" >/dev/null; then
  echo "SKIP: $compiler is not installed"
  exit 77
fi
case $standard in
  c++*) language=c++ names='*.h *.hpp' ;;
  *) language=c names='*.h' ;;
esac

set -f
failed=0 count=0
for name in $names; do
  for header in $(find "$include" "$generated" -name "$name" | sort); do
    count=$((count + 1))
    # By way of an including file, or #pragma once would be warned about.
    echo "#include \"$header\"" | "$compiler" -x $language -std="$standard" \
      -Wall -Wextra -Wpedantic -pedantic-errors -Wshadow -Werror \
      -fsyntax-only -I"$include" -I"$generated" - || {
      echo "failed: $header"
      failed=1
    }
  done
done
echo "$count headers with $compiler as $standard"
[ $count -gt 0 ] && exit $failed
