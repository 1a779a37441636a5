#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples.sh BUILD-DIR SOURCE-DIR DESCRIBE-PROGRAM WORK-DIR
#
# Installs the SDK, and nothing else, below WORK-DIR and builds every example
# against it as an author would: out of tree, with gcc and (if installed)
# clang, as C++17 and C++20. Then the examples' own tests run, and the runner
# must accept what came out.
set -eu
build=$1 source=$2 describe=$3 work=$4

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --component sdk --prefix "$work/prefix" >/dev/null
# As CMake's package does, pkg-config's must find the prefix by itself.
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name '*.pc')") \
  pkg-config --cflags cowbench-sdk)
echo '#include <cowbench/abi/plugin.h>' |
  eval gcc -std=c11 -fsyntax-only "$flags" -x c -

# build_one EXAMPLE CC CXX STANDARD (of C++)
build_one() {
  directory=$work/$1-$2-$4
  if ! {
    CC=$2 CXX=$3 cmake -S "$source/examples/$1" -B "$directory" \
      -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_STANDARD="$4" \
      -DCMAKE_BUILD_TYPE=Release &&
      cmake --build "$directory" &&
      ctest --test-dir "$directory" --output-on-failure
  } >"$work/log" 2>&1; then
    cat "$work/log"
    echo "failed: $1 with $2 as C++$4"
    exit 1
  fi
  "$source/tests/abi/exports.sh" "$directory"
  "$describe" "$directory"/*.so
}

for example in "$source"/examples/*/; do
  example=$(basename "$example")
  standards='17 20'
  [ "$example" != minimal-c-phase ] || standards=17
  for standard in $standards; do
    build_one "$example" gcc g++ "$standard"
    if command -v clang++ >/dev/null; then
      build_one "$example" clang clang++ "$standard"
    fi
  done
done
command -v clang++ >/dev/null || echo 'skipped: clang++ is not installed'

program=$build/bin/cowbench
if [ -x "$program" ]; then
  for example in minimal-backend minimal-phase minimal-c-phase; do
    "$program" plugin list --plugin-dir "$work/$example-gcc-17" >"$work/log"
    grep -q 'org\.example\.' "$work/log" || {
      cat "$work/log"
      echo "failed: cowbench plugin list does not show $example"
      exit 1
    }
  done
fi
rm -rf "$work"
