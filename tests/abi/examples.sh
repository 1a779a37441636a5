#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples.sh BUILD-DIR SOURCE-DIR DESCRIBE-PROGRAM WORK-DIR COMPILER
#
# Installs the SDK, and nothing else, below WORK-DIR and builds every example
# against it as an author would: out of tree, with COMPILER (gcc or clang), as
# C++17 and C++20. Then the examples' own tests run, and the runner's loader
# must accept what came out. Exit status 77: no such compiler.
set -eu
build=$1 source=$2 describe=$3 work=$4 cc=$5

case $cc in
  clang) cxx=clang++ ;;
  *) cxx=g++ ;;
esac
if ! command -v $cxx >/dev/null; then
  echo "SKIP: $cxx is not installed"
  exit 77
fi

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --component sdk --prefix "$work/prefix" >/dev/null
# As CMake's package does, pkg-config's must find the prefix by itself.
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name '*.pc')") \
  pkg-config --cflags cowbench-sdk)
echo '#include <cowbench/abi/plugin.h>' |
  eval "$cc" -std=c11 -fsyntax-only "$flags" -x c -

# build_one EXAMPLE STANDARD (of C++)
build_one() {
  directory=$work/$1-$2
  if ! {
    CC=$cc CXX=$cxx cmake -S "$source/examples/$1" -B "$directory" \
      -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_STANDARD="$2" \
      -DCMAKE_BUILD_TYPE=Release &&
      cmake --build "$directory" &&
      ctest --test-dir "$directory" --output-on-failure
  } >"$work/log" 2>&1; then
    cat "$work/log"
    echo "failed: $1 with $cc as C++$2"
    exit 1
  fi
  "$source/tests/abi/exports.sh" "$directory"
  "$describe" "$directory"/*.so
}

build_one minimal-c-phase 17
for standard in 17 20; do
  build_one minimal-backend $standard
  build_one minimal-phase $standard
done
